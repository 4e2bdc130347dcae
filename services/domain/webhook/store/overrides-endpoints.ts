import { EVENT_TYPES, overridesEndpoints } from "../../../messages/events.ts";

const OVERRIDING = EVENT_TYPES.filter(overridesEndpoints)
  .map((type) => `'${type}'`)
  .join(", ");

/** SQL for whether events of a type, given as an SQL expression, go only to their order's own URL. */
export function isOverriding(type: string): string {
  return `${type} in (${OVERRIDING})`;
}
