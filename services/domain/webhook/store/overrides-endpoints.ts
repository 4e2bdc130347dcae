import { EVENT_TYPES, overridesEndpoints } from "../../../messages/events.ts";

const OVERRIDING = EVENT_TYPES.filter(overridesEndpoints)
  .map((type) => `'${type}'`)
  .join(", ");

/** SQL for whether events of the type that an SQL expression gives go to their order's own URL and to no endpoint. */
export function isOverriding(type: string): string {
  return `${type} in (${OVERRIDING})`;
}
