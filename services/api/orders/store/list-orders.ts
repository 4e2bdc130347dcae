import type { NumberType } from "../../../domain/countries/number-type.ts";
import { isE164 } from "../../../domain/number/rules/classify-number.ts";
import type { Order, OrderStatus } from "../../../domain/order/rules/order.ts";
import {
  carrierIs,
  ORDER_COLUMNS,
  toOrders,
  type OrderRow,
} from "../../../domain/order/store/order-row.ts";
import { conditionsOf, type FilterConditions } from "../../../platform/db/filter-conditions.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";
import { boundValues } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { OtherHolders, UnavailableReason } from "../plan-orders.ts";

export interface OrderFilter {
  readonly status?: readonly OrderStatus[] | undefined;
  readonly customer_reference?: string | undefined;
  readonly phone_number?: string | undefined;
  readonly batch_id?: string | undefined;
  readonly country_code?: string | undefined;
  readonly number_type?: NumberType | undefined;
  readonly losing_carrier?: string | undefined;
  /** The confirmed port date: at or after, and before. */
  readonly foc_after?: Date | undefined;
  readonly foc_before?: Date | undefined;
}

const CONDITIONS = {
  status: (at: string) => `o.status = any (${at}::text[])`,
  customer_reference: (at: string) => `o.customer_reference = ${at}`,
  phone_number: (at: string) =>
    `o.id in (select order_id from orders.order_numbers where phone_number = ${at})`,
  batch_id: (at: string) => `o.batch_id = ${at}`,
  country_code: (at: string) => `o.country_code = ${at}`,
  number_type: (at: string) => `o.number_type = ${at}`,
  losing_carrier: carrierIs,
  // The first condition is the index's: without it, the planner does not use it.
  foc_after: (at: string) =>
    `o.foc_actual is not null and orders.instant_of(o.foc_actual) >= ${at}::timestamptz`,
  foc_before: (at: string) =>
    `o.foc_actual is not null and orders.instant_of(o.foc_actual) < ${at}::timestamptz`,
} as const satisfies FilterConditions<OrderFilter>;

interface OrderList {
  readonly accountId: string;
  readonly range: IdRange;
  readonly filter: OrderFilter;
}

/** A page ends with the order in which it reaches this many numbers. */
const PAGE_NUMBERS = 5_000;

/** One page of orders in scan order, and whether there are more. */
interface OrderPage {
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
  const conditions = conditionsOf<OrderFilter>(CONDITIONS, filter, bind);
  const rows = await queryRows<OrderRow & { readonly found: number }>(db, {
    // Planned once without a filter, which is most of the calls; a filter's values decide on its index.
    ...(conditions.length === 0 && { name: `order-list-${direction}` }),
    text: `with found as materialized (
        select o.id from orders.porting_orders o
        where o.account_id = $1 and o.deleted_at is null and o.id > $2 and o.id < $3
        ${conditions.map((one) => `and ${one}`).join(" ")}
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

/** Whether the account has the order; a cursor must be the id of one. */
export async function hasOrder(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await queryRows(db, {
    text: `select id from orders.porting_orders where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  return rows.length === 1;
}

interface UnavailableNumber {
  readonly phone_number: string;
  readonly reason: UnavailableReason;
}

/** Which of the numbers the account already has, or has in a live order; invalid numbers are ignored. */
export async function findUnavailableNumbers(
  db: Queryable,
  accountId: string,
  phoneNumbers: readonly string[],
): Promise<ReadonlyMap<string, UnavailableReason>> {
  const rows = await queryRows<UnavailableNumber>(db, {
    name: "numbers-unavailable",
    text: `select phone_number, 'number_in_active_order' as reason from orders.order_numbers
        where account_id = $1 and phone_number = any ($2::text[]) and live
      union all
      select phone_number, 'already_active' from orders.numbers
        where account_id = $1 and phone_number = any ($2::text[]) and status <> 'ported_out'
      order by reason desc`,
    values: [accountId, phoneNumbers.filter(isE164)],
  });
  // A number in both gets the last row's reason, already_active, which order creation reports as well.
  return new Map(rows.map(({ phone_number, reason }) => [phone_number, reason]));
}

/** Which other accounts hold some of the numbers; invalid numbers are ignored. */
export async function findOtherHolders(
  db: Queryable,
  accountId: string,
  phoneNumbers: readonly string[],
): Promise<OtherHolders> {
  const rows = await queryRows<{ phone_number: string; account_id: string }>(db, {
    name: "numbers-elsewhere",
    text: `select phone_number, account_id from orders.numbers
      where account_id <> $1 and phone_number = any ($2::text[]) and status <> 'ported_out'`,
    values: [accountId, phoneNumbers.filter(isE164)],
  });
  return new Map(rows.map(({ phone_number, account_id }) => [phone_number, account_id]));
}
