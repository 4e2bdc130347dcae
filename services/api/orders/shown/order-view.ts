import { presentOrder, type OrderPart } from "../../../domain/order/answers/present-order.ts";
import type { DueTimes } from "../../../domain/order/rules/due-times.ts";
import type { Order } from "../../../domain/order/rules/order.ts";
import { readinessOf } from "../../../domain/requirement/rules/readiness.ts";
import type { AccountPrincipal } from "../../access/principal.ts";
import { presentListedOrder } from "../answers.ts";

/** A way to show an order. Nothing but the order, its due time and the time of day may have a part in it. */
export interface OrderView {
  /** Of this view alone: what it shows is kept under this name. */
  readonly name: string;
  /** Whether it shows when something happens by itself with the order. */
  readonly showsDueTime: boolean;
  readonly present: (order: Order, due: DueTimes, now: Date) => unknown;
}

const WHOLE: OrderView = { name: "whole", showsDueTime: true, present: presentWhole };
const OF_LINK: OrderView = {
  name: "link",
  showsDueTime: true,
  present: (order, due) => ({ ...presentOrder(order, due), webhook_url: null }),
};

export const READINESS: OrderView = {
  name: "readiness",
  showsDueTime: false,
  present: (order, _due, now) => readinessOf(order, now),
};

function presentWhole(order: Order, due: DueTimes): unknown {
  return presentOrder(order, due);
}

/** An order's link is in the hands of an end user, who is not shown where the customer's webhooks go. */
export function wholeOrderFor({ portal }: AccountPrincipal): OrderView {
  return (portal?.orderId ?? null) === null ? WHOLE : OF_LINK;
}

/** An order in a list, with these of its parts. */
export function listedOrder(parts: ReadonlySet<OrderPart> = new Set()): OrderView {
  return {
    name: ["listed", ...[...parts].toSorted()].join("+"),
    showsDueTime: true,
    present: (order, due) => presentListedOrder(order, due, parts),
  };
}
