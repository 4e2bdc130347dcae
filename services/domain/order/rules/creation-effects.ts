import type { Effect } from "./effects.ts";
import { snapshotOf } from "./order-messages.ts";
import type { Order } from "./order.ts";

/** The effects of creating a batch: an event per order, and a split event with the first if there are several. */
export function creationEffects(orders: readonly Order[]): readonly (readonly Effect[])[] {
  return orders.map((order, n) => {
    const created: Effect[] = [
      {
        effect: "timeline",
        kind: "status",
        data: { previous_status: null, new_status: order.status },
      },
      {
        effect: "event",
        type: "porting_order.created",
        payload: { porting_order: snapshotOf(order) },
      },
    ];
    return n === 0 && orders.length > 1 ? [...created, splitInto(orders)] : created;
  });
}

/** The event of one request, or one order, that became several orders. */
export function splitInto(orders: readonly Order[]): Effect {
  return {
    effect: "event",
    type: "porting_order.split",
    payload: {
      batch_id: orders[0]?.batch_id ?? "",
      porting_orders: orders.map((order) => ({
        id: order.id,
        phone_numbers: order.numbers.map((number) => number.phone_number),
        country_code: order.country_code,
        number_type: order.number_type,
        losing_carrier: order.losing_carrier,
      })),
    },
  };
}
