import type { EventType } from "../../../messages/events.ts";
import { EVENT_TYPES } from "../../../messages/events.ts";

/** Whether events of this type go to their order's own `webhook_url`, where it has one, and to no endpoint. */
export function overridesEndpoints(type: EventType): boolean {
  return type.startsWith("porting_order.") || type === "loa.signed" || type === "number.activated";
}

const OVERRIDING = EVENT_TYPES.filter(overridesEndpoints)
  .map((type) => `'${type}'`)
  .join(", ");

/** The same of the type that an SQL expression gives. */
export function isOverriding(type: string): string {
  return `${type} in (${OVERRIDING})`;
}
