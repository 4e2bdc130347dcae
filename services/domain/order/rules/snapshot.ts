import type { PortingOrderSnapshot } from "../../../messages/generated/porting-event.ts";
import type { Order } from "./order.ts";

/** The order in event payloads: the specification's twelve fields. */
export function snapshotOf(order: Order): PortingOrderSnapshot {
  return {
    id: order.id,
    batch_id: order.batch_id,
    status: order.status,
    closed_by: order.closed_by,
    provider_status: order.provider_status,
    country_code: order.country_code,
    number_type: order.number_type,
    customer_reference: order.customer_reference,
    requirements_status: order.requirements_status,
    foc_requested: order.foc_requested,
    foc_actual: order.foc_actual,
    phone_numbers: order.numbers.map((number) => number.phone_number),
  };
}
