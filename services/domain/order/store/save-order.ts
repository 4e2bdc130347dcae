import type { MessageWriter, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import {
  recordset,
  recordsetValue,
  type Columns,
  type Parameter,
  type RowOf,
} from "../../../platform/db/recordset.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import { OUTBOX_ROW, outboxInsert, outboxRows } from "../../../platform/outbox/outbox.ts";
import {
  DEADLINE_ROW,
  deadlineWrites,
  type DeadlineRow,
} from "../../deadline/store/write-deadlines.ts";
import { VALUE_COLUMNS, type StoredValue } from "../../requirement/store/requirement-values.ts";
import type { Effect } from "../rules/effects.ts";
import type { Order } from "../rules/order.ts";
import type { Occasion } from "../rules/order-event-context.ts";
import { orderMessages } from "../rules/order-messages.ts";
import type { OrderDecision } from "../rules/order-decision.ts";
import { DECIDED_COLUMNS, FIXED_COLUMNS } from "./order-columns.ts";
import { TIMELINE_ROW, timelineInsert, timelineRows } from "./timeline-rows.ts";

const DECIDED = {
  account_id: FIXED_COLUMNS.account_id,
  ...DECIDED_COLUMNS,
} as const satisfies Columns;

const ASSIGNMENTS = Object.keys(DECIDED_COLUMNS)
  .map((name) => `${name} = u.${name}`)
  .join(", ");

const NUMBER = {
  phone_number: "text",
  status: "text",
  failure_code: "text",
  activated_at: "timestamptz",
  live: "boolean",
} as const satisfies Columns;

const FIELD = {
  slug: "text",
  status: "text",
  exception_reason: "text",
  check_state: "text",
  check_code: "text",
  check_detail: "text",
  changed: "boolean",
} as const satisfies Columns;

const REWRITTEN = {
  ...FIELD,
  ...VALUE_COLUMNS,
  updated_at: "timestamptz",
} as const satisfies Columns;

/** The upsert of these columns of requirements of the order `$1`. */
function fieldUpsert(parameter: Parameter, columns: Columns): string {
  const names = Object.keys(columns);
  const assignments = names.filter((name) => name !== "slug");
  return `insert into orders.requirements (order_id, ${names.join(", ")})
    select $1, ${names.map((name) => `u.${name}`).join(", ")} from ${recordset(parameter, columns)}
    on conflict (order_id, slug) do update
      set ${assignments.map((name) => `${name} = excluded.${name}`).join(", ")}`;
}

/** One statement writes the row, its numbers, requirements, timeline, deadlines, webhook destination and the outbox. */
const SAVE = `with decided as materialized (
    select u.* from ${recordset("$2", DECIDED)}
  ), saved as (
    update orders.porting_orders o set ${ASSIGNMENTS}
    from decided u where o.id = $1
  ), numbers as (
    update orders.order_numbers n set status = u.status, failure_code = u.failure_code,
      activated_at = u.activated_at, live = u.live
    from ${recordset("$3", NUMBER)}
    where n.order_id = $1 and n.phone_number = u.phone_number
  ), dropped as (
    delete from orders.order_numbers where order_id = $1 and phone_number = any ($4::text[])
  ), fields as (
    ${fieldUpsert("$5", FIELD)}
  ), rewritten as (
    ${fieldUpsert("$6", REWRITTEN)}
  ), timeline as (
    ${timelineInsert(recordset("$7", TIMELINE_ROW))}
  ), ${deadlineWrites(recordset("$8", DEADLINE_ROW), "$1")}, undirected as (
    delete from webhooks.order_destinations where order_id = $1 and (select u.webhook_url is null from decided u)
  ), directed as (
    insert into webhooks.order_destinations (order_id, account_id, url)
    select $1, u.account_id, u.webhook_url from decided u where u.webhook_url is not null
    on conflict (order_id) do update set url = excluded.url
  )
  ${outboxInsert(recordset("$9", OUTBOX_ROW))}`;

type DeadlineEffect = Extract<Effect, { effect: "deadline" | "wait" }>;

/** Only the last effect on each deadline is written, because a statement can change a row only once. */
function deadlineRows(effects: readonly Effect[]): DeadlineRow[] {
  const all = effects.filter(
    (effect): effect is DeadlineEffect => effect.effect === "deadline" || effect.effect === "wait",
  );
  const last = new Map(all.map((effect) => [effect.kind, effect]));
  return [...last.values()].map((effect) => ({
    kind: effect.kind,
    due_at: effect.effect === "deadline" ? effect.due_at : null,
    since: effect.effect === "wait" ? effect.since : null,
  }));
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

/** The requirements that changed, apart from the one that is rewritten: a statement can write a row only once. */
function changedRequirements(
  before: Order,
  after: Order,
  rewritten: RewrittenValue | undefined,
): Order["requirements"] {
  return after.requirements.filter(
    (one, n) => one !== before.requirements[n] && one.slug !== rewritten?.slug,
  );
}

function rewrittenRows(
  { requirements }: Order,
  rewritten: RewrittenValue | undefined,
  now: Date,
): RowOf<typeof REWRITTEN>[] {
  if (rewritten === undefined) return [];
  return requirements
    .filter(({ slug }) => slug === rewritten.slug)
    .map((one) => ({ ...one, ...rewritten.stored, updated_at: now }));
}

/** The new value of a requirement that a decision rewrites. */
export interface RewrittenValue {
  readonly slug: string;
  readonly stored: StoredValue;
}

/** A decision on a locked order, with what led to it. */
export interface DecidedOrder extends Occasion {
  readonly before: Order;
  readonly decision: OrderDecision;
  readonly rewritten?: RewrittenValue | undefined;
  /** Messages that follow those of the decision. */
  readonly further?: readonly OutgoingMessage[] | undefined;
}

/** Writes a decision's changes to an order with all its messages; returns the changed order. */
export async function saveOrder(
  writer: MessageWriter,
  { before, decision, rewritten, further = [], ...occasion }: DecidedOrder,
): Promise<Order> {
  const { messages, eventSequence } = orderMessages(writer, decision, occasion);
  const order = { ...decision.order, event_sequence: eventSequence };
  const live = isLive(order);
  await queryRows(writer.tx, {
    name: "order-save",
    text: SAVE,
    values: [
      order.id,
      recordsetValue(DECIDED, [order]),
      recordsetValue(
        NUMBER,
        changedNumbers(before, order).map((number) => ({ ...number, live })),
      ),
      droppedNumbers(before, order),
      recordsetValue(FIELD, changedRequirements(before, order, rewritten)),
      recordsetValue(REWRITTEN, rewrittenRows(order, rewritten, occasion.now)),
      recordsetValue(TIMELINE_ROW, timelineRows(order, decision.effects, occasion)),
      recordsetValue(DEADLINE_ROW, deadlineRows(decision.effects)),
      recordsetValue(OUTBOX_ROW, outboxRows([...messages, ...further])),
    ],
  });
  return order;
}
