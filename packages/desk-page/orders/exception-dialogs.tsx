import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { optionsOf, SelectField, TextArea } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { FormModal } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { reasonsQuery } from "../reviews/reviews.ts";
import styles from "./carrier-update/carrier-update.module.css";
import { STATUS_WORDS, type Order } from "./orders.ts";

/** Whether an order waits for the desk because its carrier rejected it for what the desk owns. */
export function isDesksOwn({ status, next_action: next }: Order): boolean {
  return status === "rejection" && next.actor === "desk";
}

interface ExceptionDialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Once the desk has settled with the carrier: the order is submitted again as it is. */
export function ResubmitDialog({ order, onClose }: ExceptionDialogProps) {
  const toasts = useToasts();
  const { text: note, ...draft } = useDraft(`resubmit:${order.id}`);
  const send = useCommand<Order>({ refreshes: ["orders"] });
  const submit = (): void =>
    send.run(
      { path: `/desk/v1/orders/${order.id}/resubmit`, body: { note: note.trim() } },
      {
        onDone: ({ status }) => {
          draft.write("");
          toasts.done(`The order is now: ${STATUS_WORDS[status].name}`);
        },
        whileShown: onClose,
      },
    );
  return (
    <FormModal
      title="Submit the order again"
      description="It comes back to the queue with its approvals; confirming it there sends it to the carrier again. The customer has nothing to do."
      verb="Submit again"
      leave="Cancel"
      isBusy={send.isPending}
      isReady={note.trim() !== ""}
      fault={otherFaults(send.error, ["#/note"])}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea
        label="What was settled"
        hint="Only the desk reads this."
        error={faultAt(send.error, "#/note")}
        rows={3}
        required
        autoFocus
        maxLength={4_000}
        value={note}
        onChange={draft.write}
      />
    </FormModal>
  );
}

/** Where the customer has to correct something after all. */
export function HandOverDialog({ order, onClose }: ExceptionDialogProps) {
  const toasts = useToasts();
  const { data: reasons } = useQuery(reasonsQuery());
  const [code, setCode] = useState("other");
  const [slug, setSlug] = useState("");
  const { text: reason, ...draft } = useDraft(`hand-over:${order.id}`);
  const send = useCommand<Order>({ refreshes: ["orders"] });
  const submit = (): void => {
    const field = slug === "" ? {} : { slug };
    send.run(
      {
        path: `/desk/v1/orders/${order.id}/hand_over`,
        body: { code, ...field, reason: reason.trim() },
      },
      {
        onDone: () => {
          draft.write("");
          toasts.done("The order waits for its customer now");
        },
        whileShown: onClose,
      },
    );
  };
  return (
    <FormModal
      title="Hand the order over to its customer"
      description="The customer is told, and has to correct it and submit again."
      verb="Hand over"
      leave="Cancel"
      isBusy={send.isPending}
      isReady={reason.trim() !== ""}
      fault={otherFaults(send.error, ["#/code", "#/slug", "#/reason"])}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Reason"
        error={faultAt(send.error, "#/code")}
        options={(reasons?.data ?? []).map((one) => [one.code, `${one.title} (${one.code})`])}
        value={code}
        onChange={setCode}
      />
      <RequirementField
        order={order}
        error={faultAt(send.error, "#/slug")}
        none="None of them"
        value={slug}
        onChange={setSlug}
      />
      <TextArea
        label="What the customer has to do"
        hint="The customer reads this."
        error={faultAt(send.error, "#/reason")}
        rows={3}
        required
        maxLength={1_000}
        value={reason}
        onChange={draft.write}
      />
    </FormModal>
  );
}

/** Where the carrier wants the numbers in orders of their own. */
export function SplitDialog({ order, onClose }: ExceptionDialogProps) {
  const toasts = useToasts();
  const [moved, setMoved] = useState<ReadonlySet<string>>(new Set());
  const { text: reason, ...draft } = useDraft(`split:${order.id}`);
  const send = useCommand<{ readonly data: readonly Order[] }>({ refreshes: ["orders"] });
  const toggle = (number: string): void => {
    const next = new Set(moved);
    if (!next.delete(number)) next.add(number);
    setMoved(next);
  };
  const stays = order.phone_numbers.filter((number) => !moved.has(number));
  const submit = (): void =>
    send.run(
      {
        path: `/desk/v1/orders/${order.id}/split`,
        body: { groups: [stays, [...moved]], reason: reason.trim() },
      },
      {
        onDone: () => {
          draft.write("");
          toasts.done("The order is split, and both parts wait in the queue");
        },
        whileShown: onClose,
      },
    );
  return (
    <FormModal
      title="Split the order"
      description="The numbers that you choose become an order of their own, with the same values, documents and approvals. Both come back to the queue; confirming them there sends them to the carrier."
      verb="Split"
      leave="Cancel"
      isBusy={send.isPending}
      isReady={reason.trim() !== "" && moved.size > 0 && stays.length > 0}
      fault={otherFaults(send.error, ["#/reason"])}
      onSubmit={submit}
      onClose={onClose}
    >
      <fieldset className={styles["picker"]}>
        <legend>Numbers of the new order</legend>
        <div className={styles["numbers"]}>
          {order.phone_numbers.map((number) => (
            <label key={number}>
              <input type="checkbox" checked={moved.has(number)} onChange={() => toggle(number)} />
              {number}
            </label>
          ))}
        </div>
      </fieldset>
      <TextArea
        label="Why"
        hint="Only the desk reads this."
        error={faultAt(send.error, "#/reason")}
        rows={2}
        required
        maxLength={4_000}
        value={reason}
        onChange={draft.write}
      />
    </FormModal>
  );
}

interface RequirementFieldProps {
  readonly order: Order;
  readonly error: string | null;
  /** What no requirement is called. */
  readonly none: string;
  readonly value: string;
  readonly onChange: (slug: string) => void;
}

/** The requirement of the order that a rejection concerns. */
export function RequirementField({ order, none, ...field }: RequirementFieldProps) {
  return (
    <SelectField label="Requirement" options={[["", none]]} {...field}>
      {optionsOf(order.requirements.map(({ slug, name }) => [slug, name]))}
    </SelectField>
  );
}
