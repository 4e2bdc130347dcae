import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { Failure } from "../../ui/states.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import type { Order } from "./order-types.ts";
import { orderPath, useOrderCommand } from "./queries.ts";

const MAX_REASON = 1_000;

interface CancelDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

export function CancelDialog({ order, onClose }: CancelDialogProps) {
  const { text: reason, write } = useDraft(`cancel:${order.id}`);
  const cancel = useOrderCommand();
  const toasts = useToasts();
  const onCancel = (): void => {
    const body = reason.trim() === "" ? {} : { reason: reason.trim() };
    const onDone = (): void => {
      write("");
      toasts.done("The order is cancelled, or will be once the carrier confirms");
    };
    const sent = { path: orderPath(order.id, "/cancel"), body };
    cancel.run(sent, { onDone, whileShown: onClose });
  };
  return (
    <Modal
      title="Cancel this order?"
      description="The numbers stay where they are. What the losing carrier already has is cancelled once it confirms; the order cannot be opened again."
      onClose={onClose}
    >
      {cancel.error !== null && <Failure error={cancel.error} />}
      <Field label="Reason" hint="Optional, for the porting desk and the carrier">
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={MAX_REASON}
            value={reason}
            onChange={(event) => write(event.target.value)}
          />
        )}
      </Field>
      <ModalActions>
        <Button onClick={onClose}>Keep the order</Button>
        <Button kind="danger" isBusy={cancel.isPending} onClick={onCancel}>
          Cancel the order
        </Button>
      </ModalActions>
    </Modal>
  );
}
