import { useState } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { FormModal } from "../../ui/modal.tsx";
import { Card } from "../../ui/page.tsx";
import { DataView, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { browserZone } from "../../ui/zoned-time.ts";
import { Removal, type DialogProps } from "./order-dialogs.tsx";
import { requestedTime } from "./order-fields.tsx";
import { changeWords, type Change, type Order } from "./order-words.ts";
import { orderPath, useChanges, useOrderCommand } from "./orders.ts";

const MAX_REASON = 1_000;
const FIELDS = ["#/foc_requested", "#/remove_phone_numbers", "#/reason"] as const;

/** Another date or fewer numbers, of an order that the carrier has: it decides. */
export function AskForChangeDialog({ order, onClose }: DialogProps) {
  const [date, setDate] = useState("");
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState("");
  const ask = useOrderCommand<Change>();
  const toasts = useToasts();
  const body = {
    ...(date === "" ? {} : { foc_requested: requestedTime(date) }),
    ...(removed.size === 0 ? {} : { remove_phone_numbers: [...removed] }),
    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  };
  const onSubmit = (): void =>
    ask.run(
      { path: orderPath(order.id, "/changes"), body },
      { onDone: () => toasts.done("The losing carrier is asked"), whileShown: onClose },
    );
  return (
    <FormModal
      title="Ask the carrier for a change"
      description="The losing carrier has the order and decides. Until it answers, the order stays as it is."
      verb="Ask the carrier"
      isBusy={ask.isPending}
      isReady={date !== "" || removed.size > 0}
      fault={otherFaults(ask.error, FIELDS)}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label="Another date and time"
        hint={`In your time zone (${browserZone()}). Empty where the date is to stay.`}
        type="datetime-local"
        error={faultAt(ask.error, "#/foc_requested")}
        value={date}
        onChange={setDate}
      />
      {order.phone_numbers.length > 1 && (
        <Removal
          numbers={order.phone_numbers}
          removed={removed}
          onChange={setRemoved}
          fault={faultAt(ask.error, "#/remove_phone_numbers")}
        />
      )}
      <TextArea
        label="Reason"
        hint="Optional, for the porting desk and the carrier"
        error={faultAt(ask.error, "#/reason")}
        rows={2}
        maxLength={MAX_REASON}
        value={reason}
        onChange={setReason}
      />
    </FormModal>
  );
}

/** A date before the requested one: it is confirmed by asking for it. */
export function ConfirmDate({ order }: { readonly order: Order }) {
  const confirm = useOrderCommand<Change>();
  const toasts = useToasts();
  const { action } = order.next_action;
  if (action !== "confirm_date") return null;
  const onClick = (): void =>
    confirm.run(
      { path: orderPath(order.id, "/changes"), body: { foc_requested: order.foc_actual } },
      { onDone: () => toasts.done("The date is confirmed") },
    );
  return (
    <>
      <p>
        The numbers move on <Time at={order.foc_actual} form="zoned" />, and you asked for{" "}
        <Time at={order.foc_requested} form="zoned" />. Confirm the earlier date, or ask for a
        change.
      </p>
      {confirm.error !== null && <Failure error={confirm.error} />}
      <Button kind="primary" isBusy={confirm.isPending} onClick={onClick}>
        Confirm the date
      </Button>
    </>
  );
}

/** What the carrier was asked to change, the newest first. */
export function Changes({ orderId }: { readonly orderId: string }) {
  const withdraw = useOrderCommand<Change>();
  const changes = useChanges(orderId);
  if (changes.data?.data.length === 0) return null;
  return (
    <Card title="Changes">
      {withdraw.error !== null && <Failure error={withdraw.error} />}
      <DataView query={changes}>
        {({ data }) => (
          <ol className="entries">
            {data.map((change) => (
              <li key={change.id}>
                <ChangeText change={change} />
                {change.status === "pending" && (
                  <div>
                    <Button
                      isBusy={withdraw.isPending}
                      onClick={() =>
                        withdraw.run({
                          path: orderPath(orderId, `/changes/${change.id}/withdraw`),
                          body: {},
                        })
                      }
                    >
                      Withdraw
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ol>
        )}
      </DataView>
    </Card>
  );
}

function ChangeText({
  change: { status, requested, detail, created_at: at },
}: {
  readonly change: Change;
}) {
  const [text, tone] = changeWords(status);
  const { foc_requested: date, remove_phone_numbers: removed, reason } = requested;
  return (
    <>
      <span>
        <Badge tone={tone}>{text}</Badge>{" "}
        {date !== null && (
          <>
            Another date: <Time at={date} form="zoned" />.{" "}
          </>
        )}
        {removed.length > 0 && `Without ${removed.join(", ")}.`}
      </span>
      {(detail ?? reason) !== null && <span className="as-written">{detail ?? reason}</span>}
      <small>
        <Time at={at} />
      </small>
    </>
  );
}
