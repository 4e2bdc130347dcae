import {
  ORDER_COLUMNS,
  toOrders,
  type OrderRow,
} from "../../../../domain/order/store/order-row.ts";
import type { Order } from "../../../../domain/order/rules/order.ts";
import { queryRows, type Queryable } from "../../../../platform/db/transaction.ts";
import { versionOf } from "./order-versions.ts";

/** An order with the version that it has in the same snapshot. */
export interface VersionedOrder {
  readonly version: string;
  readonly order: Order;
}

type VersionedRow = OrderRow & { readonly version: string };

/** A page ends with the order in which it reaches this many numbers. */
export const PAGE_NUMBERS = 5_000;

// A single order is found by `=`: with an array, Postgres would never use a generic plan and would plan every call.
const ONE = `select ${ORDER_COLUMNS}, ${versionOf("o")} as version from orders.porting_orders o
  where o.account_id = $1 and o.id = $2 and o.deleted_at is null`;

/** An order of the account; null if there is none. */
export async function readVersioned(
  db: Queryable,
  accountId: string,
  orderId: string,
): Promise<VersionedOrder | null> {
  const rows = await queryRows<VersionedRow>(db, {
    name: "order-versioned",
    text: ONE,
    values: [accountId, orderId],
  });
  const [order = null] = await versioned(db, rows);
  return order;
}

/** The numbers are walked order by order, so that no more of them are read than a page may have. */
const SEVERAL = `with walked as materialized (
    select f.id
    from (select o.id, u.at from unnest($2::uuid[]) with ordinality u (id, at)
      join orders.porting_orders o on o.account_id = $1 and o.id = u.id and o.deleted_at is null
      order by u.at) f
    left join lateral (select from orders.order_numbers n where n.order_id = f.id offset 0) n on true
    order by f.at limit ${PAGE_NUMBERS}
  )
  select ${ORDER_COLUMNS}, ${versionOf("o")} as version
  from orders.porting_orders o
  where o.account_id = $1 and o.id = any (array(select distinct id from walked))`;

/** Those of the account's orders, from the first on, that have as many numbers as a page may have, in any order. */
export async function readSomeVersioned(
  db: Queryable,
  accountId: string,
  orderIds: readonly string[],
): Promise<VersionedOrder[]> {
  const rows = await queryRows<VersionedRow>(db, {
    name: "orders-versioned",
    text: SEVERAL,
    values: [accountId, orderIds],
  });
  return versioned(db, rows);
}

async function versioned(db: Queryable, rows: readonly VersionedRow[]): Promise<VersionedOrder[]> {
  const orders = await toOrders(db, rows);
  return orders.map((order, n) => ({ order, version: rows[n]?.version ?? "" }));
}
