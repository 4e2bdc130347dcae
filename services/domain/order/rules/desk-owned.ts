import { findExceptionCode } from "./exception-catalogue.ts";
import type { Order, OrderException } from "./order.ts";
import { isEditable } from "./status-facts.ts";

/** Whether an order was rejected for what the desk alone can settle with the carrier: it waits for the desk, and expires not. */
export function isDesksOwn(order: Pick<Order, "status" | "exceptions">): boolean {
  return isEditable(order) && areDesksOwn(order.exceptions);
}

export function areDesksOwn(exceptions: readonly OrderException[]): boolean {
  return (
    exceptions.length > 0 &&
    exceptions.every(({ code, slug }) => slug === null && findExceptionCode(code).owner === "desk")
  );
}
