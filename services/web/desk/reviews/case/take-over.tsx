import type { SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Modal, ModalActions } from "../../../ui/modal.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import styles from "./case.module.css";
import type { Claim } from "./use-claim.ts";

interface TakeOverProps {
  readonly orderId: string;
  readonly holder: string;
  readonly claim: Claim;
  readonly onClose: () => void;
}

export function TakeOver({ orderId, holder, claim, onClose }: TakeOverProps) {
  const { text: reason, write } = useDraft(`take-over:${orderId}`);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    claim.takeOver(reason.trim(), () => {
      write("");
      onClose();
    });
  };
  return (
    <Modal
      title={`Take the case over from ${holder}`}
      description={`${holder} sees at once who took it and why. What ${holder} has not sent is lost.`}
      onClose={onClose}
    >
      <form onSubmit={onSubmit} className={styles["form"]}>
        <Field label="Why">
          {(control) => (
            <textarea
              {...control}
              required
              autoFocus
              rows={3}
              maxLength={1_000}
              value={reason}
              onChange={(event) => write(event.target.value)}
            />
          )}
        </Field>
        <ModalActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            isBusy={claim.isBusy}
            disabled={reason.trim() === ""}
          >
            Take over
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
