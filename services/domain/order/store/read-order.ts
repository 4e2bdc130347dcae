import { AppError } from "../../../platform/errors.ts";
import { lockThenRead } from "../../../platform/db/lock-then-read.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Order } from "../rules/order.ts";
import { ORDER_COLUMNS, toOrder, type OrderRow } from "./order-row.ts";

const FIND = `select ${ORDER_COLUMNS} from orders.porting_orders o
  where o.account_id = $1 and o.id = $2 and o.deleted_at is null`;

/** An account's order, or `not_found`. */
export async function findOrder(db: Queryable, accountId: string, orderId: string): Promise<Order> {
  const [row] = await queryRows<OrderRow>(db, {
    name: "order-find",
    text: FIND,
    values: [accountId, orderId],
  });
  if (row === undefined) throw unknownOrder();
  return toOrder(row);
}

export function unknownOrder(): AppError {
  return new AppError("not_found", "There is no such porting order.");
}

const LOCK_SEVERAL = {
  name: "orders",
  lock: `select id from orders.porting_orders where id = any ($1::uuid[]) order by id for update`,
  read: `select ${ORDER_COLUMNS} from orders.porting_orders o where o.id = any ($1::uuid[])`,
};

/** Several orders, deleted ones included, locked until the transaction ends. */
export async function lockOrders(tx: Queryable, orderIds: readonly string[]): Promise<Order[]> {
  return (await lockThenRead<OrderRow>(tx, LOCK_SEVERAL, [orderIds])).map(toOrder);
}

// Of one order by `=`: a plan for any array costs more than one for this array, so that each call would plan again.
const LOCK = {
  name: "order",
  lock: `select id from orders.porting_orders where id = $1 for update`,
  read: `select ${ORDER_COLUMNS} from orders.porting_orders o where o.id = $1`,
};

/** Any account's order, deleted ones included, locked until the transaction ends; null where there is none. */
export async function lockOrder(tx: Queryable, orderId: string): Promise<Order | null> {
  const [row] = await lockThenRead<OrderRow>(tx, LOCK, [orderId]);
  return row === undefined ? null : toOrder(row);
}

/** Any account's order that is not deleted, locked like `lockOrder`, or `not_found`. */
export async function lockAnyOrder(tx: Queryable, orderId: string): Promise<Order> {
  const order = await lockOrder(tx, orderId);
  if (order === null || order.deleted_at !== null) throw unknownOrder();
  return order;
}

/** An account's order that is not deleted, locked like `lockOrder`, or `not_found`. */
export async function lockOwnOrder(
  tx: Queryable,
  accountId: string,
  orderId: string,
): Promise<Order> {
  const order = await lockAnyOrder(tx, orderId);
  if (order.account_id !== accountId) throw unknownOrder();
  return order;
}
