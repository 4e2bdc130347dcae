import type { SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { faultAt, otherFaults } from "../../../ui/http/fault-at.ts";
import { useCommand } from "../../../ui/http/use-command.ts";
import { Modal, ModalActions } from "../../../ui/modal.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { STATUS_WORDS } from "../order-words.ts";
import type { Order } from "../queries.ts";
import { closeConsequence } from "./close-words.ts";
import styles from "./write-dialog.module.css";

interface CloseDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Closing an order: what happens is said before, and the customer's reason is apart from the desk's own. */
export function CloseDialog({ order, onClose }: CloseDialogProps) {
  const toasts = useToasts();
  const { text: reason, ...reasonDraft } = useDraft(`close:${order.id}`);
  const { text: internal, ...internalDraft } = useDraft(`close-internal:${order.id}`);
  const send = useCommand<Order>({ refreshes: ["orders"] });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const own = internal.trim() === "" ? {} : { internal_reason: internal.trim() };
    send.run(
      { path: `/desk/v1/orders/${order.id}/close`, body: { reason: reason.trim(), ...own } },
      {
        onDone: (closed) => {
          reasonDraft.write("");
          internalDraft.write("");
          toasts.done(`The order is now: ${STATUS_WORDS[closed.status].name}`);
        },
        whileShown: onClose,
      },
    );
  };
  const rest = otherFaults(send.error, ["#/reason", "#/internal_reason"]);
  return (
    <Modal title="Close the order" onClose={onClose}>
      <form className={styles["form"]} onSubmit={submit}>
        <p className={styles["consequence"]}>{closeConsequence(order)}</p>
        <Field
          label="Reason for the customer"
          hint="The customer reads this."
          error={faultAt(send.error, "#/reason")}
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              required
              maxLength={1_000}
              value={reason}
              onChange={(event) => reasonDraft.write(event.target.value)}
            />
          )}
        </Field>
        <div className={styles["note"]}>
          <Field
            label="Internal reason (optional)"
            hint="Only the desk reads this."
            error={faultAt(send.error, "#/internal_reason")}
          >
            {(control) => (
              <textarea
                {...control}
                rows={2}
                maxLength={1_000}
                value={internal}
                onChange={(event) => internalDraft.write(event.target.value)}
              />
            )}
          </Field>
        </div>
        {rest !== null && <p role="alert">{rest}</p>}
        <ModalActions>
          <Button onClick={onClose}>Do not close</Button>
          <Button
            type="submit"
            kind="danger"
            isBusy={send.isPending}
            disabled={reason.trim() === ""}
          >
            Close order
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
