import { carrierRequestId } from "../../domain/order/rules/order-messages.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { isEnded } from "../../domain/order/rules/status-facts.ts";
import type { CarrierTask } from "../../messages/generated/carrier-task.ts";

/**
 * Whether nothing must be sent any more: the order has ended, as it may have when a task comes late or is replayed from
 * the dead letters, or the date was moved or withdrawn and the new one has an activation of its own. A cancellation is
 * always sent: the carrier may have the order still.
 */
export function isOvertaken(
  { kind, request_id }: Pick<CarrierTask, "kind" | "request_id">,
  order: Order,
): boolean {
  if (kind === "cancel") return false;
  if (isEnded(order)) return true;
  return kind === "activate" && request_id !== carrierRequestId(order, "activate");
}
