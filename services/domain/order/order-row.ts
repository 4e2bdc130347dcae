import type { Order, OrderNumber } from "./order.ts";

/** A row of orders.porting_orders with its numbers gathered as JSON. */
export type OrderRow = Omit<Order, "numbers"> & {
  readonly numbers: readonly {
    readonly phone_number: string;
    readonly status: OrderNumber["status"];
    readonly failure_code: string | null;
    readonly activated_at: string | null;
  }[];
};

/** The columns of an `OrderRow`, of a table with the alias `o`. */
export const ORDER_COLUMNS = `o.id, o.account_id, o.batch_id, o.status, o.closed_by, o.provider, o.provider_status,
  o.provider_status_at, o.country_code, o.number_type, o.losing_carrier, o.customer_reference, o.webhook_url,
  o.requirements_status, o.foc_requested, o.foc_actual, o.request_version, o.review_attempt, o.exceptions, o.cancel, o.attention,
  o.event_sequence, o.created_at, o.updated_at, o.submitted_at, o.closed_at, o.deleted_at,
  (select json_agg(json_build_object('phone_number', n.phone_number, 'status', n.status,
      'failure_code', n.failure_code, 'activated_at', n.activated_at) order by n.position)
    from orders.order_numbers n where n.order_id = o.id) as numbers`;

export function toOrder(row: OrderRow): Order {
  const numbers = row.numbers.map((number) => ({
    ...number,
    activated_at: number.activated_at === null ? null : new Date(number.activated_at),
  }));
  return { ...row, numbers };
}
