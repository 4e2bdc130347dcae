import type { Order } from "../../../domain/order/rules/order.ts";
import { ORDER_COLUMNS, toOrders, type OrderRow } from "../../../domain/order/store/order-row.ts";
import { boundValues } from "../../../platform/db/bound-values.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { filterConditions, type OrderFilter } from "./order-filter.ts";

export interface OrderList {
  readonly accountId: string;
  readonly range: IdRange;
  readonly filter: OrderFilter;
}

/** A page ends with the order in which it reaches this many numbers. */
const PAGE_NUMBERS = 5_000;

/** One page of orders in scan order, and whether there are more. */
export interface OrderPage {
  readonly rows: readonly Order[];
  readonly hasMore: boolean;
}

/**
 * The first of an account's orders in a range of ids that match every given filter. The numbers are walked order by order,
 * so that no more of them are read than a page may have.
 */
export async function listOrders(
  db: Queryable,
  { accountId, range, filter }: OrderList,
): Promise<OrderPage> {
  const { direction, above, below, fetch } = range;
  const { values, bind } = boundValues(accountId, above, below, fetch);
  const conditions = filterConditions(filter, bind);
  const rows = await queryRows<OrderRow & { readonly found: number }>(db, {
    // Planned once without a filter, which is most of the calls; a filter's values decide on its index.
    ...(conditions.length === 0 && { name: `order-list-${direction}` }),
    text: `with found as materialized (
        select o.id from orders.porting_orders o
        where o.account_id = $1 and o.deleted_at is null and o.id > $2 and o.id < $3
        ${conditions.join(" ")}
        order by o.id ${direction} limit $4
      ), walked as materialized (
        select f.id from (select id from found order by id ${direction}) f
        left join lateral (select from orders.order_numbers n where n.order_id = f.id offset 0) n on true
        order by f.id ${direction} limit ${PAGE_NUMBERS}
      )
      select ${ORDER_COLUMNS}, (select count(*) from found) as found
      from orders.porting_orders o where o.id = any (array(select distinct id from walked))
      order by o.id ${direction}`,
    values,
  });
  const shown = rows.slice(0, fetch - 1);
  const hasMore = shown.length < (rows[0]?.found ?? 0);
  return { rows: await toOrders(db, shown), hasMore };
}
