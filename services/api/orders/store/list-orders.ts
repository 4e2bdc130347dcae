import { boundValues } from "../../../platform/db/bound-values.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";
import type { Order, OrderStatus } from "../../../domain/order/rules/order.ts";
import { ORDER_COLUMNS, toOrder, type OrderRow } from "../../../domain/order/store/order-row.ts";

export interface OrderFilter {
  readonly status?: readonly OrderStatus[] | undefined;
  readonly customer_reference?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly batch_id?: string | undefined;
  readonly country_code?: string | undefined;
}

/** The condition of each filter; only given filters go into the statement, so that each can use its own index. */
const CONDITIONS = {
  status: (at: string) => `o.status = any (${at}::text[])`,
  customer_reference: (at: string) => `o.customer_reference = ${at}`,
  phone_number: (at: string) =>
    `o.id in (select order_id from orders.order_numbers where phone_number = ${at})`,
  batch_id: (at: string) => `o.batch_id = ${at}`,
  country_code: (at: string) => `o.country_code = ${at}`,
} as const satisfies Record<keyof OrderFilter, (at: string) => string>;

const FILTERS = Object.keys(CONDITIONS) as (keyof OrderFilter)[];

export interface OrderList {
  readonly accountId: string;
  readonly range: IdRange;
  readonly filter: OrderFilter;
}

/** An account's orders in a range of ids that match every given filter, in scan order. */
export async function listOrders(
  db: Queryable,
  { accountId, range, filter }: OrderList,
): Promise<Order[]> {
  const { values, bind } = boundValues(accountId, range.above, range.below, range.fetch);
  const conditions = FILTERS.filter((name) => filter[name] !== undefined).map(
    (name) => `and ${CONDITIONS[name](bind(filter[name]))}`,
  );
  const rows = await queryRows<OrderRow>(db, {
    text: `select ${ORDER_COLUMNS} from orders.porting_orders o
      where o.account_id = $1 and o.deleted_at is null and o.id > $2 and o.id < $3
      ${conditions.join(" ")}
      order by o.id ${range.direction} limit $4`,
    values,
  });
  return rows.map(toOrder);
}

/** Whether the account has the order; a cursor must be the id of one. */
export async function hasOrder(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await queryRows(db, {
    text: `select id from orders.porting_orders where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  return rows.length === 1;
}
