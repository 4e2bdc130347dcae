import type { EventType } from "../../../messages/events.ts";

/** Whether events of this type go to their order's own `webhook_url`, where it has one, and to no endpoint. */
export function overridesEndpoints(type: EventType): boolean {
  return type.startsWith("porting_order.") || type === "loa.signed" || type === "number.activated";
}
