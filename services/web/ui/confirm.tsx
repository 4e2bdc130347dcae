import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { FIRST_FOCUS, Modal, ModalActions } from "./modal.tsx";
import { Failure } from "./states.tsx";

interface ConfirmProps {
  readonly title: string;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
  /** The verb of the button: `Revoke`. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  readonly isBusy: boolean;
  readonly isReady?: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before what cannot be taken back. */
export function Confirm(props: ConfirmProps) {
  const { title, children, verb, isDangerous = false, isReady = true, isBusy, error } = props;
  return (
    <Modal title={title} onClose={props.onClose}>
      {children}
      {error !== null && error !== undefined && <Failure error={error} />}
      <ModalActions>
        {/* Enter that is held down, or pressed once too often, does nothing that cannot be taken back. */}
        <Button onClick={props.onClose} {...(isDangerous ? FIRST_FOCUS : {})}>
          Cancel
        </Button>
        <Button
          kind={isDangerous ? "danger" : "primary"}
          disabled={!isReady}
          isBusy={isBusy}
          onClick={props.onConfirm}
        >
          {verb}
        </Button>
      </ModalActions>
    </Modal>
  );
}
