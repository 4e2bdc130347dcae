import type { MessageWriter, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import {
  recordset,
  recordsetValue,
  type Columns,
  type Parameter,
  type RowOf,
} from "../../../platform/db/recordset.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { comparableUrl } from "../../../platform/net/url-rules.ts";
import { OUTBOX_ROW, outboxInsert, outboxRows } from "../../../platform/outbox/outbox.ts";
import {
  runCommand,
  type CommandContext,
  type WriteAlso,
} from "../../command/store/run-command.ts";
import {
  DEADLINE_ROW,
  deadlineWrites,
  type DeadlineRow,
} from "../../deadline/store/write-deadlines.ts";
import { valueKey } from "../../requirement/rules/number-values.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import {
  emptyValue,
  VALUE_COLUMNS,
  type StoredValue,
} from "../../requirement/store/requirement-values.ts";
import { decide, type OrderCommand } from "../rules/decide.ts";
import type { DecisionContext, Effect, Refusal } from "../rules/effects.ts";
import type { OrderDecision } from "../rules/order-decision.ts";
import { orderMessages, type Occasion } from "../rules/order-messages.ts";
import type { Order } from "../rules/order.ts";
import { keepOwnConfigurations } from "./number-configuration.ts";
import { writeComments } from "./comments.ts";
import { DECIDED_COLUMNS, FIXED_COLUMNS } from "./order-row.ts";
import { lockAnyOrder, lockOwnOrder } from "./read-order.ts";
import { registerActiveNumbers } from "./register-active-numbers.ts";
import { TIMELINE_ROW, timelineInsert, timelineRows } from "./timeline.ts";

/** A refusal as the error that callers receive. */
export function refusalError({ code, detail, blocking = [], faults = [] }: Refusal): AppError {
  const blockers = blocking.map((one) => ({
    pointer: `#/requirements/${one.slug}`,
    code: one.code,
    detail: one.detail,
  }));
  return new AppError(code, detail, { faults: [...blockers, ...faults] });
}

/** A command with its actor and time. */
interface GivenCommand extends DecisionContext {
  readonly command: OrderCommand;
  /** The new values of the requirements that the command rewrites. */
  readonly rewritten?: readonly RewrittenValue[];
  /** Further messages of a decision with these effects. */
  readonly alsoSend?: (effects: readonly Effect[]) => readonly OutgoingMessage[];
}

/**
 * Runs a command on a locked order within the caller's transaction.
 * @throws the refusal as an AppError; the caller's transaction must then not commit any of the command's changes
 */
export async function applyToOrder(
  writer: MessageWriter,
  before: Order,
  { command, rewritten = [], alsoSend, ...given }: GivenCommand,
): Promise<Order> {
  const context = { ...given, now: timeOfChange(before, given.now) };
  const decision = decide(before, command, context);
  if (!decision.allowed) throw refusalError(decision.refusal);
  const update = command.command === "status_update" ? command.update : null;
  const { effects } = decision;
  const further = alsoSend?.(effects);
  const decided = { before, decision, rewritten, further, update, ...context };
  const order = await saveOrder(writer, decided);
  const saved = { order, effects };
  await registerActiveNumbers(writer, saved, context.now);
  await writeComments(writer, saved, context.now);
  return order;
}

/** Clocks that differ by more are wrong, and what they said decides no cut-off and starts no wait of later changes. */
const MOST_AHEAD_MS = 60_000;

/**
 * Later than the change before, which another process may have made while this one waited for the order: the ids of both
 * sort as the changes follow each other.
 */
export function timeOfChange({ updated_at: changedAt }: Order, now: Date): Date {
  const aheadMs = changedAt.getTime() + 1 - now.getTime();
  return aheadMs > 0 && aheadMs <= MOST_AHEAD_MS ? new Date(now.getTime() + aheadMs) : now;
}

interface OperatorCommand extends GivenCommand {
  /** Writes the audit row. */
  readonly also: WriteAlso<Order>;
}

/** Runs an operator's command on an order of any account. @throws `not_found`, also for a deleted order */
export async function commandAnyOrder(
  context: CommandContext,
  orderId: string,
  { also, ...given }: OperatorCommand,
): Promise<Order> {
  return runCommand(context, {
    lock: (tx) => lockAnyOrder(tx, orderId),
    apply: (writer, order) => applyToOrder(writer, order, given),
    also,
  });
}

export interface OrderAddress {
  readonly accountId: string;
  readonly orderId: string;
}

export interface CustomerCommand extends GivenCommand {
  readonly also?: WriteAlso<Order>;
}

/** Runs a customer's command on an order of the account. @throws `not_found`, also for another account's order */
export async function commandOrder(
  context: CommandContext,
  { accountId, orderId }: OrderAddress,
  { also, ...given }: CustomerCommand,
): Promise<Order> {
  return runCommand(context, {
    lock: (tx) => lockOwnOrder(tx, accountId, orderId),
    apply: (writer, order) => applyToOrder(writer, order, given),
    also,
  });
}

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

type FieldRow = RowOf<typeof FIELD> & { readonly slug: string };

export const REWRITTEN = {
  ...FIELD,
  ...VALUE_COLUMNS,
  updated_at: "timestamptz",
} as const satisfies Columns;

const DESTINATION = { url: "text", href: "text" } as const satisfies Columns;

function destinationRows({ webhook_url: url }: Order): RowOf<typeof DESTINATION>[] {
  return url === null ? [] : [{ url, href: comparableUrl(url) }];
}

/** The upsert of these columns of requirements of the order `$1`. */
function fieldUpsert(parameter: Parameter, columns: Columns): string {
  const names = Object.keys(columns);
  const assignments = names.filter((name) => name !== "slug");
  return `insert into orders.requirements (order_id, ${names.join(", ")})
    select $1, ${names.map((name) => `u.${name}`).join(", ")} from ${recordset(parameter, columns)}
    on conflict (order_id, slug) do update
      set ${assignments.map((name) => `${name} = excluded.${name}`).join(", ")}`;
}

/** What a decision writes beside the order's row and its messages; what it leaves as it is costs nothing. */
const PARTS = {
  numbers: (rows) => `numbers as (
    update orders.order_numbers n set status = u.status, failure_code = u.failure_code,
      activated_at = u.activated_at, live = u.live
    from ${recordset(rows, NUMBER)}
    where n.order_id = $1 and n.phone_number = u.phone_number
  )`,
  dropped: (numbers) => `dropped as (
    delete from orders.order_numbers where order_id = $1 and phone_number = any (${numbers}::text[])
  ), dropped_values as (
    delete from orders.requirements where order_id = $1 and strpos(slug, '+') > 0
      and substr(slug, strpos(slug, '+')) = any (${numbers}::text[])
  )`,
  fields: (rows) => `fields as (
    ${fieldUpsert(rows, FIELD)}
  )`,
  rewritten: (rows) => `rewritten as (
    ${fieldUpsert(rows, REWRITTEN)}
  )`,
  timeline: (rows) => `timeline as (
    ${timelineInsert(recordset(rows, TIMELINE_ROW))}
  )`,
  deadlines: (rows) => deadlineWrites(recordset(rows, DEADLINE_ROW), "$1"),
  destination: (rows) => `undirected as (
    delete from webhooks.order_destinations where order_id = $1 and ${rows}::jsonb = '[]'
  ), directed as (
    insert into webhooks.order_destinations (order_id, account_id, url, href)
    select $1, d.account_id, u.url, u.href from decided d cross join ${recordset(rows, DESTINATION)}
    on conflict (order_id) do update set url = excluded.url, href = excluded.href
  )`,
} as const satisfies Record<string, (parameter: Parameter) => string>;

type Part = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as Part[];

/** The parameters of the parts: before them come the order's id, its row and the messages. */
const OF_PARTS: readonly Parameter[] = ["$4", "$5", "$6", "$7", "$8", "$9", "$10"];

/** One statement writes the row with these parts and the outbox; the parts' parameters follow in their sequence. */
function saveStatement(parts: readonly Part[]): string {
  const written = OF_PARTS.flatMap((parameter, n) => {
    const part = parts[n];
    return part === undefined ? [] : [`, ${PARTS[part](parameter)}`];
  });
  return `with decided as materialized (
    select u.* from ${recordset("$2", DECIDED)}
  ), saved as (
    update orders.porting_orders o set ${ASSIGNMENTS}
    from decided u where o.id = $1
  )${written.join("")}
  ${outboxInsert(recordset("$3", OUTBOX_ROW))}`;
}

/** The statements by their name, which numbers the parts that they have. */
const STATEMENTS = new Map<string, string>();

function statementOf(parts: readonly Part[]): { readonly name: string; readonly text: string } {
  const bits = PART_NAMES.map((part) => (parts.includes(part) ? "1" : "0")).join("");
  const name = `order-save-${bits}`;
  const text = STATEMENTS.get(name) ?? saveStatement(parts);
  STATEMENTS.set(name, text);
  return { name, text };
}

type DeadlineEffect = Extract<Effect, { effect: "deadline" | "wait" }>;

/** Only the last effect on each deadline is written, because a statement can change a row only once. */
export function deadlineRows(effects: readonly Effect[]): DeadlineRow[] {
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
  const remaining = new Set(after.numbers.map((number) => number.phone_number));
  return before.numbers.map((number) => number.phone_number).filter((one) => !remaining.has(one));
}

/** A requirement's own row, and those of its numbers' values, each by its key. */
function fieldRows(
  requirement: OrderRequirement,
  before: OrderRequirement | undefined,
): FieldRow[] {
  const same = new Set(before?.values);
  const values = requirement.values.filter((value) => !same.has(value));
  return [
    requirement,
    ...values.map(({ phone_number, status, exception_reason }) => ({
      slug: valueKey(requirement.slug, phone_number),
      status,
      exception_reason,
      check_state: "none",
      check_code: null,
      check_detail: null,
      changed: false,
    })),
  ];
}

/** The rows that changed, with the new values of those that are rewritten: a statement can write a row only once. */
function changedFields(
  before: Order,
  after: Order,
  { rewritten, now }: Pick<DecidedOrder, "rewritten" | "now">,
) {
  const stored = new Map(rewritten.map((one) => [one.key, one.stored]));
  const changed = after.requirements.flatMap((one, n) =>
    one === before.requirements[n] ? [] : fieldRows(one, before.requirements[n]),
  );
  return {
    fields: changed.filter(({ slug }) => !stored.has(slug)),
    values: changed.flatMap((row): RowOf<typeof REWRITTEN>[] => {
      const value = stored.get(row.slug);
      return value === undefined ? [] : [{ ...row, ...value, updated_at: now }];
    }),
  };
}

/** The rows with these new values, as a new order has them; values of numbers stand beside the row of their requirement. */
export function rewrittenRows(
  { requirements }: Order,
  rewritten: readonly RewrittenValue[],
  now: Date,
): RowOf<typeof REWRITTEN>[] {
  const stored = new Map(rewritten.map((one) => [one.key, one.stored]));
  return requirements.flatMap((requirement) => {
    const rows = fieldRows(requirement, undefined);
    const isGiven = rows.some(({ slug }) => stored.has(slug));
    const written = rows.filter(({ slug }) => slug === requirement.slug || stored.has(slug));
    if (!isGiven) return [];
    return written.map((row) => ({
      ...row,
      ...(stored.get(row.slug) ?? emptyValue()),
      updated_at: now,
    }));
  });
}

/** The new value of a requirement that a decision rewrites, or of a number in it. */
export interface RewrittenValue {
  readonly key: string;
  readonly stored: StoredValue;
}

/** A decision on a locked order, with what led to it. */
interface DecidedOrder extends Occasion {
  readonly before: Order;
  readonly decision: OrderDecision;
  readonly rewritten: readonly RewrittenValue[];
  /** Messages that follow those of the decision. */
  readonly further?: readonly OutgoingMessage[] | undefined;
}

/** The parameters of the parts that a decision writes. */
function writtenParts(
  { before, decision, rewritten, ...occasion }: DecidedOrder,
  order: Order,
): Partial<Record<Part, unknown>> {
  const live = isLive(order);
  const numbers = changedNumbers(before, order).map((number) => ({ ...number, live }));
  const dropped = droppedNumbers(before, order);
  const { fields, values } = changedFields(before, order, { rewritten, now: occasion.now });
  const entries = timelineRows(order, decision.effects, occasion);
  const deadlines = deadlineRows(decision.effects);
  return {
    ...(numbers.length > 0 && { numbers: recordsetValue(NUMBER, numbers) }),
    ...(dropped.length > 0 && { dropped }),
    ...(fields.length > 0 && { fields: recordsetValue(FIELD, fields) }),
    ...(values.length > 0 && { rewritten: recordsetValue(REWRITTEN, values) }),
    ...(entries.length > 0 && { timeline: recordsetValue(TIMELINE_ROW, entries) }),
    ...(deadlines.length > 0 && { deadlines: recordsetValue(DEADLINE_ROW, deadlines) }),
    ...(before.webhook_url !== order.webhook_url && {
      destination: recordsetValue(DESTINATION, destinationRows(order)),
    }),
  };
}

/** Writes a decision's changes to an order with all its messages; returns the changed order. */
async function saveOrder(writer: MessageWriter, decided: DecidedOrder): Promise<Order> {
  const { decision, further = [] } = decided;
  const { messages, eventSequence } = orderMessages(writer, decision, decided);
  const order = { ...decision.order, event_sequence: eventSequence };
  const written = writtenParts(decided, order);
  const parts = PART_NAMES.filter((part) => part in written);
  await queryRows(writer.tx, {
    ...statementOf(parts),
    values: [
      order.id,
      recordsetValue(DECIDED, [order]),
      recordsetValue(OUTBOX_ROW, outboxRows([...messages, ...further])),
      ...parts.map((part) => written[part]),
    ],
  });
  if (parts.includes("dropped")) await keepOwnConfigurations(writer.tx, [order.id]);
  return order;
}
