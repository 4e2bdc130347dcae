import type { MessageContext } from "../../../messages/bus/outgoing.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import { newIds } from "../../../platform/ids.ts";
import { outboxColumns, outboxInsert } from "../../../platform/outbox/outbox.ts";
import type { DecisionContext, Effect } from "../rules/effects.ts";
import type { Order } from "../rules/order.ts";
import { orderMessages } from "../rules/order-messages.ts";
import type { Story } from "../rules/order-decision.ts";

/** One statement: the row, its numbers, its timeline, its deadlines, where its webhooks go, and the outbox. */
const SAVE = `with saved as (
    update orders.porting_orders set status = $2, closed_by = $3, provider_status = $4,
      provider_status_at = $5, customer_reference = $6, webhook_url = $7, requirements_status = $8,
      foc_requested = $9, foc_actual = $10, request_version = $11, review_attempt = $12,
      exceptions = $13, event_sequence = $14, updated_at = $15, submitted_at = $16, closed_at = $17,
      deleted_at = $18, cancel = $19, attention = $20
    where id = $1
  ), numbers as (
    update orders.order_numbers n set status = u.status, failure_code = u.failure_code,
      activated_at = u.activated_at, live = $21
    from unnest($22::text[], $23::text[], $24::text[], $25::timestamptz[])
      u (phone_number, status, failure_code, activated_at)
    where n.order_id = $1 and n.phone_number = u.phone_number
  ), dropped as (
    delete from orders.order_numbers where order_id = $1 and phone_number = any ($45::text[])
  ), fields as (
    insert into orders.requirements (order_id, slug, status, exception_reason, check_state, check_code, check_detail,
      changed)
    select $1, u.slug, u.status, u.exception_reason, u.check_state, u.check_code, u.check_detail, u.changed
    from unnest($39::text[], $40::text[], $41::text[], $42::text[], $43::text[], $44::boolean[],
        $46::text[]) u (slug, status, exception_reason, check_state, check_detail, changed, check_code)
    on conflict (order_id, slug) do update set status = excluded.status, exception_reason = excluded.exception_reason,
      check_state = excluded.check_state, check_code = excluded.check_code, check_detail = excluded.check_detail,
      changed = excluded.changed
  ), told as (
    insert into orders.timeline (id, order_id, account_id, at, kind, actor, data)
    select u.id, $1, $26, $48::timestamptz, u.kind, $27::jsonb, u.data
    from unnest($28::uuid[], $29::text[], $30::jsonb[]) u (id, kind, data)
  ), cleared as (
    delete from orders.deadlines d
    using unnest($31::text[], $32::timestamptz[], $47::timestamptz[]) u (kind, due_at, since)
    where u.due_at is null and u.since is null and d.kind = u.kind and d.subject_id = $1::text
  ), due as (
    insert into orders.deadlines (kind, subject_id, due_at, since)
    select u.kind, $1::text, u.due_at, u.since
    from unnest($31::text[], $32::timestamptz[], $47::timestamptz[]) u (kind, due_at, since)
    where u.due_at is not null or u.since is not null
    on conflict (kind, subject_id) do update set due_at = excluded.due_at, since = excluded.since
  ), undirected as (
    delete from webhooks.order_destinations where order_id = $1 and $7::text is null
  ), directed as (
    insert into webhooks.order_destinations (order_id, account_id, url)
    select $1, $26, $7 where $7::text is not null
    on conflict (order_id) do update set url = excluded.url
  )
  ${outboxInsert(33)}`;

function timelineColumns(effects: readonly Effect[], now: Date): unknown[] {
  const entries = effects.filter((effect) => effect.effect === "timeline");
  return [
    newIds(now, entries.length),
    entries.map((entry) => entry.kind),
    entries.map((entry) => JSON.stringify(entry.data)),
  ];
}

type DeadlineEffect = Extract<Effect, { effect: "deadline" | "wait" }>;

/** The last word on each deadline wins: a statement may touch a row once. */
function lastDeadlines(effects: readonly Effect[]): DeadlineEffect[] {
  const told = effects.filter(
    (effect): effect is DeadlineEffect => effect.effect === "deadline" || effect.effect === "wait",
  );
  return [...new Map(told.map((effect) => [effect.kind, effect])).values()];
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function isLive(order: Order): boolean {
  return order.closed_at === null && order.deleted_at === null;
}

function changedNumbers(before: Order, after: Order): Order["numbers"] {
  if (isLive(before) !== isLive(after)) return after.numbers;
  const untouched = new Set(before.numbers);
  return after.numbers.filter((number) => !untouched.has(number));
}

function droppedNumbers(before: Order, after: Order): string[] {
  if (before.numbers.length === after.numbers.length) return [];
  const kept = new Set(after.numbers.map((number) => number.phone_number));
  return before.numbers.map((number) => number.phone_number).filter((one) => !kept.has(one));
}

/** A transaction that may write messages. */
export interface OrderWriter extends MessageContext {
  readonly tx: Queryable;
}

function changedRequirements(before: Order, after: Order): Order["requirements"] {
  return after.requirements.filter((one, n) => one !== before.requirements[n]);
}

function requirementColumns(before: Order, after: Order): unknown[] {
  const changed = changedRequirements(before, after);
  return [
    changed.map((one) => one.slug),
    changed.map((one) => one.status),
    changed.map((one) => one.exception_reason),
    changed.map((one) => one.check_state),
    changed.map((one) => one.check_detail),
    changed.map((one) => one.changed),
  ];
}

function orderColumns(order: Order): unknown[] {
  return [
    order.id,
    order.status,
    order.closed_by,
    order.provider_status,
    order.provider_status_at,
    order.customer_reference,
    order.webhook_url,
    order.requirements_status,
    order.foc_requested,
    order.foc_actual,
    order.request_version,
    order.review_attempt,
    JSON.stringify(order.exceptions),
    order.event_sequence,
    order.updated_at,
    order.submitted_at,
    order.closed_at,
    order.deleted_at,
    toJson(order.cancel),
    toJson(order.attention),
    isLive(order),
  ];
}

function numberColumns(numbers: Order["numbers"]): unknown[] {
  return [
    numbers.map((number) => number.phone_number),
    numbers.map((number) => number.status),
    numbers.map((number) => number.failure_code),
    numbers.map((number) => number.activated_at),
  ];
}

/** What was decided on a locked order: by whom, when, and what has come of it. */
export interface DecidedOrder extends DecisionContext {
  readonly before: Order;
  readonly story: Story;
}

/** Writes what a decision made of an order, with all its messages; returns the order as it now is. */
export async function saveOrder(
  writer: OrderWriter,
  { before, story, actor, now }: DecidedOrder,
): Promise<Order> {
  const { messages, eventSequence } = orderMessages(writer, story, now);
  const order = { ...story.order, event_sequence: eventSequence };
  const deadlines = lastDeadlines(story.effects);
  await queryRows(writer.tx, {
    name: "order-save",
    text: SAVE,
    values: [
      ...orderColumns(order),
      ...numberColumns(changedNumbers(before, order)),
      order.account_id,
      JSON.stringify(actor),
      ...timelineColumns(story.effects, now),
      deadlines.map((one) => one.kind),
      deadlines.map((one) => (one.effect === "deadline" ? one.due_at : null)),
      ...outboxColumns(messages),
      ...requirementColumns(before, order),
      droppedNumbers(before, order),
      changedRequirements(before, order).map((one) => one.check_code),
      deadlines.map((one) => (one.effect === "wait" ? one.since : null)),
      now,
    ],
  });
  return order;
}
