import { useState } from "react";
import { Button } from "./button.tsx";
import { Confirm } from "./confirm.tsx";
import { FIRST_FOCUS, Modal, ModalActions } from "./modal.tsx";
import styles from "./secret-dialog.module.css";
import { useToasts } from "./toasts.tsx";

interface SecretDialogProps {
  readonly title: string;
  /** What each secret is for, and the secret itself. */
  readonly secrets: readonly (readonly [string, string])[];
  readonly onClose: () => void;
}

/** Secrets that the service shows once: closed at once only by who says that they are kept, or has copied them all. */
export function SecretDialog({ title, secrets, onClose }: SecretDialogProps) {
  const toasts = useToasts();
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setIsAsking] = useState(false);
  const copy = (name: string, secret: string): void => {
    navigator.clipboard.writeText(secret).then(() => {
      setCopied((before) => new Set(before).add(name));
      toasts.done(`${name} copied`);
    }, toasts.failed);
  };
  const leave = (): void => {
    if (secrets.every(([name]) => copied.has(name))) onClose();
    else setIsAsking(true);
  };
  return (
    <Modal
      title={title}
      description="Shown once. Keep it before you close this."
      staysOpen
      onClose={leave}
    >
      {secrets.map(([name, secret], n) => (
        <div key={name} className={styles["secret"]}>
          <h3>{name}</h3>
          <code>{secret}</code>
          <Button onClick={() => copy(name, secret)} {...(n === 0 ? FIRST_FOCUS : {})}>
            Copy
          </Button>
        </div>
      ))}
      <ModalActions>
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      </ModalActions>
      {isAsking && (
        <Confirm
          title="Close it without a copy?"
          verb="Close"
          isDangerous
          isBusy={false}
          error={null}
          onClose={() => setIsAsking(false)}
          onConfirm={onClose}
        >
          <p>It cannot be shown again.</p>
        </Confirm>
      )}
    </Modal>
  );
}
