import type { NumberType } from "../../../domain/countries/number-type.ts";
import type { OrderStatus } from "../../../domain/order/rules/order.ts";
import { carrierIs } from "../../../domain/order/store/carrier-is.ts";

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

/** The condition of each filter; only given filters go into the statement, so that each can use its own index. */
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
} as const satisfies Record<keyof OrderFilter, (at: string) => string>;

const FILTERS = Object.keys(CONDITIONS) as (keyof OrderFilter)[];

/** The conditions of the given filters, each beginning with `and`; `bind` makes a parameter of a value. */
export function filterConditions(filter: OrderFilter, bind: (value: unknown) => string): string[] {
  return FILTERS.filter((name) => filter[name] !== undefined).map(
    (name) => `and ${CONDITIONS[name](bind(filter[name]))}`,
  );
}
