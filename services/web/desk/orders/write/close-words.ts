import { factsOf, isEnded } from "../../../../domain/order/rules/status-facts.ts";
import type { Order } from "../queries.ts";

/** Whether the desk may close the order: any open one but while its numbers are being moved. */
export function canClose({ status }: Pick<Order, "status">): boolean {
  return !isEnded({ status }) && !factsOf(status).moving;
}

/** What closing does to the order as it is now, and what its customer is told. */
export function closeConsequence({
  status,
  request_version: sent,
}: Pick<Order, "status" | "request_version">): string {
  if (factsOf(status).cancelling) {
    return "The order is cancelled at once, without the carrier’s answer: make sure that it has stopped the port. The customer is told.";
  }
  if (sent === 0) {
    return "The order never went to the carrier, so it is cancelled at once. The customer is told, and it cannot be opened again.";
  }
  return "The carrier is asked to cancel. The order waits in cancel pending until it confirms; if it refuses, the port goes on. The customer is told.";
}
