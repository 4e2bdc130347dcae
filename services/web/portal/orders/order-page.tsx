import { useState } from "react";
import { Link } from "wouter";
import { factsOf, isEditable } from "../../../domain/order/rules/status-facts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { Comments } from "./comments.tsx";
import { OrderNumbers } from "./order-numbers.tsx";
import type { Order } from "./order-types.ts";
import { canCancel, kindOf, nextWords, statusWords } from "./order-words.ts";
import styles from "./orders.module.css";
import { useOrder } from "./queries.ts";
import { RequirementList } from "./requirements/requirement-list.tsx";
import { SubmitOrder } from "./submit-order.tsx";
import { Timeline } from "./timeline.tsx";

export default function OrderPage({ id }: { readonly id: string }) {
  return <DataView query={useOrder(id)}>{(order) => <Shown order={order} />}</DataView>;
}

function Shown({ order }: { readonly order: Order }) {
  const [isCancelling, setIsCancelling] = useState(false);
  const [first = "", ...others] = order.phone_numbers;
  const title = others.length === 0 ? first : `${first} and ${others.length} more`;
  return (
    <Page
      title={title}
      actions={
        canCancel(order) && <Button onClick={() => setIsCancelling(true)}>Cancel order</Button>
      }
    >
      <NextStep order={order} />
      <Exceptions order={order} />
      <div className={styles["columns"]}>
        <div className={styles["column"]}>
          <RequirementList order={order} />
          <Comments orderId={order.id} />
        </div>
        <div className={styles["column"]}>
          <Card title="Order">
            <OrderFacts order={order} />
          </Card>
          <Card title="Numbers">
            <OrderNumbers numbers={order.numbers} />
          </Card>
          <Timeline order={order} />
        </div>
      </div>
      {isCancelling && <CancelDialog order={order} onClose={() => setIsCancelling(false)} />}
    </Page>
  );
}

/** What waits on whom, and the one thing to do where it is the customer's turn. */
function NextStep({ order }: { readonly order: Order }) {
  const [text, tone] = statusWords(order.status);
  const { due_at: dueAt } = order.next_action;
  return (
    <Card>
      <div className={styles["next"]}>
        <div>
          <Badge tone={tone}>{text}</Badge>
          <h2>{nextWords(order)}</h2>
          {dueAt !== null && (
            <p className={styles["muted"]}>
              {dueWords(order)} <Time at={dueAt} /> (<Time at={dueAt} form="relative" />)
            </p>
          )}
        </div>
        {isEditable(order) && <SubmitOrder order={order} />}
      </div>
    </Card>
  );
}

/** What the due time is (docs/contract/customer-api.md, next_action). */
function dueWords({ status, next_action: { action } }: Order): string {
  const { deadlines } = factsOf(status);
  if (deadlines.includes("draft_expiry")) return "Without a change it is deleted on";
  if (deadlines.includes("rejection_expiry")) return "Without an answer it is closed on";
  if (action === "wait_for_review") return "Reviewed by";
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
        ["Losing carrier", order.losing_carrier ?? "Not known"],
        ["Your reference", order.customer_reference || "–"],
        ["Carrier's own status", order.provider_status || "–"],
        ["Requested date", <Time key="requested" at={order.foc_requested} form="zoned" />],
        ["Confirmed date", <Time key="confirmed" at={order.foc_actual} form="zoned" />],
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
