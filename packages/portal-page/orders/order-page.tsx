import { useState } from "react";
import { Link } from "wouter";
import { INITIAL_STATUS, ORDER_STATUSES } from "../../../services/domain/order/rules/order.ts";
import { factsOf, isEditable } from "../../../services/domain/order/rules/status-facts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CommentsCard } from "../../ui/comments/comments-card.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { InLanguage } from "../languages/in-language.tsx";
import { accountWords } from "../languages/words.ts";
import { RequirementForm, useFocusOnEnd } from "../order-form/requirement-form.tsx";
import { usePhones } from "../order-form/use-phones.ts";
import { AskForChangeDialog, Changes, ConfirmDate } from "./change-requests.tsx";
import { CancelDialog, ChangeDialog, DeleteDialog, SaveHolderDialog } from "./order-dialogs.tsx";
import {
  canAskForChange,
  canCancel,
  canChange,
  canDelete,
  hasValues,
  kindOf,
  nextWords,
  numberWords,
  settingsText,
  statusWords,
  type Order,
  type TimelineEntry,
} from "./order-words.ts";
import styles from "./orders.module.css";
import { numberPath } from "../numbers/numbers.ts";
import { orderPath, useOrder, useTimeline } from "./orders.ts";

const SHOWN = 20;

/** Each number with how far its move is; of an order with many, the first ones and the rest on demand. */
function OrderNumbers({ numbers }: Pick<Order, "numbers">) {
  const rest = numbers.slice(SHOWN);
  return (
    <>
      <NumberList numbers={numbers.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary className="muted">{rest.length} more</summary>
          <NumberList numbers={rest} />
        </details>
      )}
    </>
  );
}

function NumberList({ numbers }: Pick<Order, "numbers">) {
  return (
    <ul className={styles["numbers"]}>
      {numbers.map(({ phone_number: number, status, failure_code: failure }) => {
        const [text, tone] = numberWords(status);
        return (
          <li key={number}>
            {status === "active" ? (
              <Link href={numberPath(number)}>{number}</Link>
            ) : (
              <span>{number}</span>
            )}
            <Badge tone={tone}>{failure === null ? text : `${text}: ${failure}`}</Badge>
          </li>
        );
      })}
    </ul>
  );
}

export default function OrderPage({ id }: { readonly id: string }) {
  return <DataView query={useOrder(id)}>{(order) => <Shown order={order} />}</DataView>;
}

const DIALOGS = {
  change: ChangeDialog,
  ask: AskForChangeDialog,
  delete: DeleteDialog,
  cancel: CancelDialog,
  holder: SaveHolderDialog,
} as const;

function Shown({ order }: { readonly order: Order }) {
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const phones = usePhones();
  const [first = "", ...others] = order.phone_numbers;
  const title = others.length === 0 ? first : `${first} and ${others.length} more`;
  const Dialog = open === null ? null : DIALOGS[open];
  return (
    <Page
      title={title}
      actions={
        <>
          {canChange(order) && <Button onClick={() => setOpen("change")}>Change</Button>}
          {canAskForChange(order) && (
            <Button onClick={() => setOpen("ask")}>Ask for a change</Button>
          )}
          {hasValues(order) && <Button onClick={() => setOpen("holder")}>Save the holder</Button>}
          {canDelete(order) && <Button onClick={() => setOpen("delete")}>Delete draft</Button>}
          {canCancel(order) && <Button onClick={() => setOpen("cancel")}>Cancel order</Button>}
        </>
      }
    >
      <NextStep order={order} />
      <Exceptions order={order} />
      <div className={styles["columns"]}>
        <div className={styles["column"]}>
          <InLanguage words={accountWords}>
            <RequirementForm {...{ order, phones }} />
          </InLanguage>
          <CommentsCard side="customer" subject="orders" path={orderPath(order.id)} />
        </div>
        <div className={styles["column"]}>
          <Card title="Order">
            <OrderFacts order={order} />
          </Card>
          {order.submitted_at !== null && <Changes orderId={order.id} />}
          <Card title="Numbers">
            <OrderNumbers numbers={order.numbers} />
          </Card>
          <Timeline order={order} />
        </div>
      </div>
      {Dialog !== null && <Dialog order={order} onClose={() => setOpen(null)} />}
    </Page>
  );
}

/** What waits on whom. */
function NextStep({ order }: { readonly order: Order }) {
  const [text, tone] = statusWords(order.status);
  const { due_at: dueAt } = order.next_action;
  const title = useFocusOnEnd<HTMLHeadingElement>(isEditable(order));
  return (
    <Card>
      <div>
        <Badge tone={tone}>{text}</Badge>
        <h2 ref={title} tabIndex={-1}>
          {nextWords(order)}
        </h2>
        {dueAt !== null && (
          <p className="muted">
            {dueWords(order)} <Time at={dueAt} /> (<Time at={dueAt} form="relative" />)
          </p>
        )}
        <ConfirmDate order={order} />
      </div>
    </Card>
  );
}

/** What the due time is (docs/contract/customer-api.md, next_action). */
function dueWords({ status, foc_actual: moves, next_action: { action, due_at } }: Order): string {
  const { deadlines } = factsOf(status);
  if (deadlines.includes("draft_expiry")) return "Without a change it is deleted on";
  if (deadlines.includes("rejection_expiry")) return "Without an answer it is closed on";
  if (action === "wait_for_review") return "Reviewed by";
  const isBefore = Date.parse(due_at ?? "") < Date.parse(moves ?? "");
  if (action === "confirm_date" && isBefore) {
    return "Without an answer the carrier is asked for your date on";
  }
  if (action === "confirm_date") return "Moves on";
  return action === "wait_for_activation" ? "Moves on" : "Due";
}

function Exceptions({ order }: { readonly order: Order }) {
  const { exceptions, closed_reason: reason } = order;
  if (exceptions.length === 0 && reason === null) return null;
  return (
    <section aria-label="What went wrong" className={styles["exceptions"]}>
      {exceptions.map(({ slug, code, detail, raised_by: by }) => (
        <p key={`${slug} ${code}`}>
          <strong>{by === "desk" ? "The porting desk: " : "The losing carrier: "}</strong>
          {detail}
        </p>
      ))}
      {reason !== null && (
        <p>
          <strong>Why it ended: </strong>
          {reason.detail}
        </p>
      )}
    </section>
  );
}

function OrderFacts({ order }: { readonly order: Order }) {
  return (
    <Facts
      facts={[
        ["Kind", kindOf(order)],
        ...(factsOf(order.status).end === "live"
          ? [
              [
                "On your account",
                <Link key="live" href={`/numbers?order=${order.id}`}>
                  Numbers that it brought
                </Link>,
              ] as const,
            ]
          : []),
        [
          "Ordered together",
          <Link key="batch" href={`/orders?batch=${order.batch_id}`}>
            Orders of the same request
          </Link>,
        ],
        ["Losing carrier", carrierText(order.losing_carrier)],
        ["Your reference", order.customer_reference || "–"],
        ["Carrier's own status", order.provider_status || "–"],
        ["Requested date", <Time key="requested" at={order.foc_requested} form="zoned" />],
        ["Confirmed date", <Time key="confirmed" at={order.foc_actual} form="zoned" />],
        ["Once they are live", settingsText(order)],
        ["Webhook address", order.webhook_url ?? "Your endpoints"],
        ["Created", <Time key="created" at={order.created_at} />],
        [
          "Webhooks",
          <Link key="webhooks" href={`/deliveries?porting_order_id=${order.id}`}>
            Deliveries of this order
          </Link>,
        ],
        ["Id", <code key="id">{order.id}</code>],
      ]}
    />
  );
}

export function Timeline({ order }: { readonly order: Order }) {
  const names = new Map(order.requirements.map(({ slug, name }) => [slug, name]));
  return (
    <Card title="Timeline">
      <DataView query={useTimeline(order.id)}>
        {({ data }) => (
          <ol className="entries">
            {data.map((entry) => (
              <li key={entry.id}>
                <span>{textOf(entry, names)}</span>
                <small>
                  {actorOf(entry)}, <Time at={entry.at} />
                </small>
              </li>
            ))}
          </ol>
        )}
      </DataView>
    </Card>
  );
}

/** `manual` is the name of a carrier that the number does not tell, and whose the desk finds out. */
function carrierText(name: string | null): string {
  return name === null || name === "manual" ? "Not known" : name;
}

const ACTORS: Readonly<Record<string, string>> = {
  customer: "You",
  desk: "Porting desk",
  carrier: "Losing carrier",
  system: "Service",
};

function actorOf({ actor: { type, name } }: TimelineEntry): string {
  if (type === "customer" && name === "portal") return "You, in the portal";
  return ACTORS[type] ?? type;
}

/** One sentence of an entry; details that this page does not know are left out. */
function textOf({ kind, data }: TimelineEntry, names: ReadonlyMap<string, string>): string {
  const field = (name: string): string => {
    const value = data[name];
    return typeof value === "string" ? value : "";
  };
  const name = names.get(field("slug")) ?? field("slug");
  switch (kind) {
    case "status":
      return statusText(field("new_status"));
    case "requirement":
      return `${name}: ${REQUIREMENT_TEXTS[field("status")] ?? "given"}`;
    case "comment":
      return "A comment was written";
    case "number":
      return Array.isArray(data["removed"]) ? "Numbers were removed" : "A number changed";
    case "change":
      return CHANGE_TEXTS[field("status")] ?? "A change was decided";
    case "order":
      return `${Object.keys(data)
        .map((changed) => CHANGED[changed] ?? changed)
        .join(", ")} changed`;
    case "carrier":
      return `The carrier reported: ${field("raw_status") || field("kind") || "a change"}`;
    case "document":
      return documentText(name, { signer: field("signer_name"), check: field("check") });
    case "ignored":
      return "A report came too late to change anything";
  }
}

const CHANGE_TEXTS: Readonly<Record<string, string>> = {
  pending: "The carrier was asked for a change",
  accepted: "The change was accepted",
  refused: "The change was refused",
  withdrawn: "The change was withdrawn",
};

const CHANGED: Readonly<Record<string, string>> = {
  customer_reference: "Reference",
  foc_requested: "Requested date",
  webhook_url: "Webhook URL",
};

function statusText(status: string): string {
  if (status === "") return "A cancellation was asked for";
  if (status === INITIAL_STATUS) return "The order was created";
  const known = ORDER_STATUSES.find((one) => one === status);
  return known === undefined ? status : statusWords(known)[0];
}

const REQUIREMENT_TEXTS: Readonly<Record<string, string>> = {
  "requirement-info-under-review": "in review",
  "requirement-info-exception": "rejected",
  approved: "approved",
};

function documentText(name: string, { signer, check }: { signer: string; check: string }): string {
  if (signer !== "") return `The letter was signed by ${signer}`;
  return check === "failed" ? `${name}: not accepted` : `${name}: checked`;
}
