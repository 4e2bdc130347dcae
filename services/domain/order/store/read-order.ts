import { PLATFORM_PROVIDER } from "../../../messages/platform-provider.ts";
import { lockThenRead, queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { recordset, recordsetValue, type Columns } from "../../../platform/db/recordset.ts";
import { AppError } from "../../../platform/errors.ts";
import { isUuid } from "../../../platform/ids.ts";
import {
  awaitedTimeOf,
  expiryOf,
  type DueTimes,
  type ExpiryKind,
  type ExpirySpans,
} from "../rules/next-action.ts";
import type { Order } from "../rules/order.ts";
import { ORDER_COLUMNS, toOneOrder, toOrders, type OrderRow } from "./order-row.ts";

const AWAITED = {
  order_id: "uuid",
  expiry: "text",
  attempt: "integer",
  port_out_ref: "text",
} as const satisfies Columns;

/** A deadline of waiting has its start, a case and a port-out their end. */
const READ = `with awaited as materialized (select u.* from ${recordset("$1", AWAITED)})
  select a.order_id, a.expiry, d.since as at
  from awaited a join orders.deadlines d on d.kind = a.expiry and d.subject_id = a.order_id::text
  where d.since is not null
  union all
  select a.order_id, null, reviews.case_due_at(a.order_id, a.attempt)
  from awaited a where a.attempt is not null
  union all
  select a.order_id, null, p.decision_deadline
  from awaited a join orders.port_outs p on p.provider = $2 and p.port_out_ref = a.port_out_ref
  where p.status = 'decision_required' and p.decision_deadline is not null`;

/** `at` is null for a case that has not been opened yet. */
interface DueRow extends Record<string, unknown> {
  readonly order_id: string;
  readonly expiry: ExpiryKind | null;
  readonly at: Date | null;
}

/** When something happens by itself with each of the orders, in one statement for all, and none where none waits. */
export async function readDueTimes(
  db: Queryable,
  orders: readonly Order[],
  spans: ExpirySpans,
): Promise<DueTimes> {
  const awaited = orders
    .map(awaitedTimeOf)
    .filter(({ expiry, attempt, port_out_ref: ref }) => (expiry ?? attempt ?? ref) !== null);
  if (awaited.length === 0) return new Map();
  const rows = await queryRows<DueRow>(db, {
    name: "order-due-times",
    text: READ,
    values: [recordsetValue(AWAITED, awaited), PLATFORM_PROVIDER],
  });
  const due = rows.flatMap(({ order_id, expiry, at }): [string, Date][] => {
    const on = expiry === null || at === null ? at : expiryOf(expiry, at, spans);
    return on === null ? [] : [[order_id, on]];
  });
  return new Map(due);
}

const FIND = `select ${ORDER_COLUMNS} from orders.porting_orders o
  where o.account_id = $1 and o.id = $2 and o.deleted_at is null`;

/** Finds an account's order. @throws `not_found` */
export async function findOrder(db: Queryable, accountId: string, orderId: string): Promise<Order> {
  const rows = await queryRows<OrderRow>(db, {
    name: "order-find",
    text: FIND,
    values: [accountId, orderId],
  });
  const order = await toOneOrder(db, rows);
  if (order === null) throw unknownOrder();
  return order;
}

export function unknownOrder(): AppError {
  return new AppError("not_found", "There is no such porting order.");
}

const LOCK_SEVERAL = {
  name: "orders",
  lock: `select id from orders.porting_orders where id = any ($1::uuid[]) order by id for update`,
  read: `select ${ORDER_COLUMNS} from orders.porting_orders o where o.id = any ($1::uuid[])`,
};

/** Locks several orders until the transaction ends, including deleted ones. */
export async function lockOrders(tx: Queryable, orderIds: readonly string[]): Promise<Order[]> {
  return toOrders(tx, await lockThenRead<OrderRow>(tx, LOCK_SEVERAL, [orderIds]));
}

// A single order is locked by `=`: with an array, Postgres would never use a generic plan and would plan every call.
const LOCK = {
  name: "order",
  lock: `select id from orders.porting_orders where id = $1 for update`,
  read: `select ${ORDER_COLUMNS} from orders.porting_orders o where o.id = $1`,
};

// Every change to an order writes its row: where the row that was locked is the one that the statement's snapshot shows,
// the snapshot shows the order's numbers and requirements as they are now, too.
const LOCK_AT_ONCE = `with locked as materialized (
    select id, xmin::text as version from orders.porting_orders where id = $1 for update skip locked
  )
  select ${ORDER_COLUMNS}, h.version = o.xmin::text as is_current
  from locked h join orders.porting_orders o on o.id = h.id`;

/**
 * Locks an order of any account until the transaction ends, even a deleted one; null if there is none, as for an id that
 * is not a UUID. One statement where nobody else holds or changes it at that moment.
 */
export async function lockOrder(tx: Queryable, orderId: string): Promise<Order | null> {
  if (!isUuid(orderId)) return null;
  const at = { name: "order-lock-at-once", text: LOCK_AT_ONCE, values: [orderId] };
  const [found] = await queryRows<OrderRow & { readonly is_current: boolean }>(tx, at);
  if (found !== undefined) {
    const { is_current: isCurrent, ...row } = found;
    if (isCurrent) return toOneOrder(tx, [row]);
  }
  return toOneOrder(tx, await lockThenRead<OrderRow>(tx, LOCK, [orderId]));
}

/** Locks an order as `lockOrder` does, without reading it; false if there is none. */
export async function lockOrderOnly(tx: Queryable, orderId: string): Promise<boolean> {
  if (!isUuid(orderId)) return false;
  const lock = { name: `${LOCK.name}-lock`, text: LOCK.lock, values: [orderId] };
  return (await queryRows(tx, lock)).length === 1;
}

/** Locks an order of any account that is not deleted. @throws `not_found` */
export async function lockAnyOrder(tx: Queryable, orderId: string): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  if (order === null || order.deleted_at !== null) throw unknownOrder();
  return order;
}

/** Locks an account's order that is not deleted. @throws `not_found` */
export async function lockOwnOrder(
  tx: Queryable,
  accountId: string,
  orderId: string,
): Promise<Order> {
  const order = await lockAnyOrder(tx, orderId);
  if (order.account_id !== accountId) throw unknownOrder();
  return order;
}
