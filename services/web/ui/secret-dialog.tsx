import { Button } from "./button.tsx";
import { Modal, ModalActions } from "./modal.tsx";
import styles from "./secret-dialog.module.css";
import { useToasts } from "./toasts.tsx";

interface SecretDialogProps {
  readonly title: string;
  /** What each secret is for, and the secret itself. */
  readonly secrets: readonly (readonly [string, string])[];
  readonly onClose: () => void;
}

/** Secrets that the service shows once. */
export function SecretDialog({ title, secrets, onClose }: SecretDialogProps) {
  const toasts = useToasts();
  const copy = (name: string, secret: string): void => {
    navigator.clipboard.writeText(secret).then(() => toasts.done(`${name} copied`), toasts.failed);
  };
  return (
    <Modal
      title={title}
      description="Shown once. Keep it before you close this."
      staysOpen
      onClose={onClose}
    >
      {secrets.map(([name, secret]) => (
        <div key={name} className={styles["secret"]}>
          <h3>{name}</h3>
          <code>{secret}</code>
          <Button onClick={() => copy(name, secret)}>Copy</Button>
        </div>
      ))}
      <ModalActions>
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      </ModalActions>
    </Modal>
  );
}
