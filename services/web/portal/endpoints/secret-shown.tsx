import { Button } from "../../ui/button.tsx";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import styles from "./endpoints.module.css";

interface SecretShownProps {
  readonly secret: string;
  /** Until when the previous one signs too; null where it does not. */
  readonly previousUntil?: string | null;
  readonly onClose: () => void;
}

/** A signing secret, which is shown here and never again. */
export function SecretShown({ secret, previousUntil = null, onClose }: SecretShownProps) {
  const toasts = useToasts();
  const copy = (): void => {
    navigator.clipboard.writeText(secret).then(() => toasts.done("Copied"), toasts.failed);
  };
  return (
    <Modal
      title="The signing secret"
      description="Keep it where your receiver reads it. It is shown now and never again; a lost one is replaced by rotating it."
      onClose={onClose}
    >
      <code className={styles["secret"]}>{secret}</code>
      {previousUntil !== null && (
        <p>
          Until <Time at={previousUntil} /> webhooks are signed with the previous secret too.
        </p>
      )}
      <ModalActions>
        <Button onClick={copy}>Copy</Button>
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      </ModalActions>
    </Modal>
  );
}
