import { useState } from "react";
import { useLocation } from "wouter";
import { TextArea, TextField } from "../../ui/field.tsx";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { Confirm, FormModal } from "../../ui/modal.tsx";
import { Failure } from "../../ui/states.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { HOLDERS_PATH, useHolderCommand } from "../holders/holders.ts";
import { ORDER_FIELDS, OrderFields, requestedTime, typedTimeOf } from "./order-fields.tsx";
import { cancelText, isWithCustomer, type Order } from "./order-words.ts";
import styles from "./orders.module.css";
import { orderPath, useOrderCommand } from "./orders.ts";

export interface DialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

const MAX_REASON = 1_000;

export function CancelDialog({ order, onClose }: DialogProps) {
  const { text: reason, write } = useDraft(`cancel:${order.id}`);
  const cancel = useOrderCommand<Order>();
  const toasts = useToasts();
  const onCancel = (): void => {
    const body = reason.trim() === "" ? {} : { reason: reason.trim() };
    const onDone = ({ status }: Order): void => {
      write("");
      toasts.done(
        status === "cancelled"
          ? "The order is cancelled"
          : "The losing carrier is asked to cancel it",
      );
    };
    const sent = { path: orderPath(order.id, "/cancel"), body };
    cancel.run(sent, { onDone, whileShown: onClose });
  };
  return (
    <FormModal
      title="Cancel this order?"
      description={cancelText(order)}
      verb="Cancel the order"
      leave="Keep the order"
      kind="danger"
      isBusy={cancel.isPending}
      onSubmit={onCancel}
      onClose={onClose}
    >
      {cancel.error !== null && <Failure error={cancel.error} />}
      <TextArea
        label="Reason"
        hint="Optional, for the porting desk and the carrier"
        rows={3}
        maxLength={MAX_REASON}
        value={reason}
        onChange={write}
      />
    </FormModal>
  );
}

/** Keeps what the order was given for the next orders of the same holder. */
export function SaveHolderDialog({ order, onClose }: DialogProps) {
  const entity = order.requirements.find(({ slug }) => slug === "entity_name")?.field_value;
  const [name, setName] = useState(entity ?? "");
  const save = useHolderCommand();
  const toasts = useToasts();
  const onSubmit = (): void =>
    save.run(
      { path: HOLDERS_PATH, body: { name: name.trim(), porting_order_id: order.id } },
      {
        onDone: () => toasts.done("The holder is saved", "Choose it where you create an order."),
        whileShown: onClose,
      },
    );
  return (
    <FormModal
      title="Save the holder"
      description="The next orders can be given the same names, address and other values. Documents, the letter, account number and PIN stay with this order."
      verb="Save"
      isBusy={save.isPending}
      isReady={name.trim() !== ""}
      fault={otherFaults(save.error, ["#/name"])}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label="What you call it"
        error={faultAt(save.error, "#/name")}
        maxLength={128}
        value={name}
        onChange={setName}
      />
    </FormModal>
  );
}

/** Of a draft that was never submitted. */
export function DeleteDialog({ order, onClose }: DialogProps) {
  const remove = useOrderCommand();
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const onConfirm = (): void =>
    remove.run(
      { method: "DELETE", path: orderPath(order.id) },
      {
        onDone: () => toasts.done("The draft is deleted"),
        whileShown: () => navigate("/orders", { replace: true }),
      },
    );
  return (
    <Confirm
      title="Delete this draft?"
      verb="Delete the draft"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        It leaves the list with everything that was filled in and uploaded, and its numbers can be
        ordered again. This cannot be undone.
      </p>
    </Confirm>
  );
}

/** Reference and webhook address of an open order; the date and the numbers too while it is with the customer. */
export function ChangeDialog({ order, onClose }: DialogProps) {
  const before = {
    customer_reference: order.customer_reference,
    foc_requested: typedTimeOf(order.foc_requested),
    webhook_url: order.webhook_url ?? "",
  };
  const [values, setValues] = useState(before);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const change = useOrderCommand();
  const toasts = useToasts();
  const mayChangeAll = isWithCustomer(order);
  const { customer_reference: reference, foc_requested: date, webhook_url: url } = values;
  const body = {
    ...(reference === before.customer_reference ? {} : { customer_reference: reference.trim() }),
    ...(date === before.foc_requested ? {} : { foc_requested: requestedTime(date) }),
    ...(url === before.webhook_url ? {} : { webhook_url: url.trim() === "" ? null : url.trim() }),
    ...(removed.size === 0 ? {} : { remove_phone_numbers: [...removed] }),
  };
  const onSubmit = (): void =>
    change.run(
      { method: "PATCH", path: orderPath(order.id), body },
      { onDone: () => toasts.done("The order is changed"), whileShown: onClose },
    );
  const others = otherFaults(change.error, [...ORDER_FIELDS, "#/remove_phone_numbers"]);
  return (
    <FormModal
      title="Change the order"
      description={
        mayChangeAll
          ? undefined
          : "The date and the numbers can be changed while the order is a draft or needs a correction. Once the losing carrier has it, ask for a change."
      }
      verb="Save"
      isBusy={change.isPending}
      isReady={Object.keys(body).length > 0}
      fault={others}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <OrderFields
        values={values}
        onChange={(name, value) => setValues({ ...values, [name]: value })}
        error={change.error}
        isWithDate={mayChangeAll}
      />
      {mayChangeAll && order.phone_numbers.length > 1 && (
        <Removal
          numbers={order.phone_numbers}
          removed={removed}
          onChange={setRemoved}
          fault={faultAt(change.error, "#/remove_phone_numbers")}
        />
      )}
    </FormModal>
  );
}

interface RemovalProps {
  readonly numbers: readonly string[];
  readonly removed: ReadonlySet<string>;
  readonly onChange: (removed: ReadonlySet<string>) => void;
  readonly fault: string | null;
}

export function Removal({ numbers, removed, onChange, fault }: RemovalProps) {
  const isLast = removed.size === numbers.length - 1;
  const toggle = (number: string): void => {
    const next = new Set(removed);
    if (!next.delete(number)) next.add(number);
    onChange(next);
  };
  return (
    <fieldset className={styles["removal"]}>
      <legend>Numbers to take out</legend>
      <p className="muted">They leave this order and can be ordered again. One has to stay.</p>
      <div className={styles["scroll"]}>
        {numbers.map((number) => (
          <label key={number}>
            <input
              type="checkbox"
              checked={removed.has(number)}
              disabled={isLast && !removed.has(number)}
              onChange={() => toggle(number)}
            />
            {number}
          </label>
        ))}
      </div>
      {fault !== null && <p role="alert">{fault}</p>}
    </fieldset>
  );
}
