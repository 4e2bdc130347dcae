import { useQueryClient } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { faultAt, otherFaults } from "../../../ui/http/fault-at.ts";
import { useCommand } from "../../../ui/http/use-command.ts";
import { Modal, ModalActions } from "../../../ui/modal.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { draftUnder, useDraft } from "../../../ui/use-draft.ts";
import { keyText } from "../../keys/key-table.ts";
import type { Order } from "../queries.ts";
import { writingKey, type Writing } from "./writing-key.ts";
import styles from "./write-dialog.module.css";

interface WriteDialogProps {
  readonly order: Order;
  readonly kind: Writing;
  readonly onClose: () => void;
}

const LONGEST = 4_000;

/** A comment to the customer or a note for the desk: which of the two it is can be told at a glance. */
export function WriteDialog({ order, kind, onClose }: WriteDialogProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const key = writingKey(kind, order.id);
  const draft = useDraft(key);
  const send = useCommand({ draft: key });
  const words = WORDS[kind](order.account.name);
  const submit = (event?: SubmitEvent): void => {
    event?.preventDefault();
    const body = draft.text.trim();
    if (body === "" || send.isPending) return;
    send.run(
      { path: `/desk/v1/orders/${order.id}/${kind}s`, body: { body } },
      {
        onDone: () => {
          draft.takeOut(body);
          toasts.done(words.done);
          void client.invalidateQueries({ queryKey: ["orders", order.id] });
        },
        // What was written meanwhile is still to be sent.
        whileShown: () => draftUnder(key) === "" && onClose(),
      },
    );
  };
  return (
    <Modal title={words.title} description={words.who} onClose={onClose}>
      <form className={`${styles["form"]} ${styles[kind]}`} onSubmit={submit}>
        <Field
          label={words.label}
          error={faultAt(send.error, "#/body") ?? otherFaults(send.error, ["#/body"])}
        >
          {(control) => (
            <textarea
              {...control}
              rows={6}
              required
              autoFocus
              maxLength={LONGEST}
              value={draft.text}
              onChange={(event) => draft.write(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
              }}
            />
          )}
        </Field>
        <ModalActions>
          <Button onClick={onClose}>{draft.text === "" ? "Cancel" : "Keep as a draft"}</Button>
          <Button
            type="submit"
            kind="primary"
            hotkey={keyText("send")}
            isBusy={send.isPending}
            disabled={draft.text.trim() === ""}
          >
            {words.send}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}

const WORDS = {
  comment: (account: string) => ({
    title: "Comment to the customer",
    who: `${account} reads this in the order and receives it as a webhook. Your name is not shown.`,
    label: "Comment",
    send: "Send to the customer",
    done: "The comment was sent to the customer",
  }),
  note: () => ({
    title: "Internal note",
    who: "Only the desk reads this. No customer ever sees it.",
    label: "Note",
    send: "Save note",
    done: "The note was saved",
  }),
} as const;
