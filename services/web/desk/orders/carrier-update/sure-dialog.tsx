import { Button } from "../../../ui/button.tsx";
import { Modal, ModalActions } from "../../../ui/modal.tsx";

interface SureDialogProps {
  readonly sentence: string;
  readonly isBusy: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** The second question, for what cannot be taken back. */
export function SureDialog({ sentence, isBusy, onYes, onNo }: SureDialogProps) {
  return (
    <Modal title="This cannot be taken back" description={sentence} onClose={onNo}>
      <ModalActions>
        <Button onClick={onNo}>Go back</Button>
        <Button kind="danger" isBusy={isBusy} onClick={onYes}>
          Yes, record it
        </Button>
      </ModalActions>
    </Modal>
  );
}
