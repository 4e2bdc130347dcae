import { findExceptionCode } from "./exception-catalogue.ts";
import type { Order, OrderException } from "./order.ts";
import { isEditable } from "./status-facts.ts";

/** Whether an order was rejected for what the desk alone can settle with the carrier: it waits for the desk, and expires not. */
export function isDesksOwn(order: Pick<Order, "status" | "exceptions">): boolean {
  return isEditable(order) && areDesksOwn(order.exceptions);
}

/** Why the customer can neither change nor submit the order now; null where the desk does not settle its rejection. */
export function whyWithDesk(order: Pick<Order, "status" | "exceptions">): string | null {
  if (!isDesksOwn(order)) return null;
  const codes = [...new Set(order.exceptions.map(({ code }) => code))].join(", ");
  return `The porting desk is settling the rejection (${codes}) with the carrier: until it has, the order can be cancelled, but neither changed nor submitted.`;
}

export function areDesksOwn(exceptions: readonly OrderException[]): boolean {
  return (
    exceptions.length > 0 &&
    exceptions.every(({ code, slug }) => slug === null && findExceptionCode(code).owner === "desk")
  );
}
