import { instantText } from "../../platform/calendar/instant-text.ts";
import type { Fault } from "../../platform/errors.ts";
import { invalid } from "../../platform/http/body/check-request.ts";

export const MAX_AHEAD_DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * Its form alone: a request that is repeated under its Idempotency-Key fits it for ever. The UTC offset is stored as
 * sent; whether the date can be met is for the carrier to decide.
 */
export const focRequested = instantText;

export const focDescription = `The port date to ask for: ISO 8601 with an offset, in the future, at most ${MAX_AHEAD_DAYS} days ahead`;

/** The fault of a requested date that has passed or is too far ahead. */
export function findFocFaults(requested: string | null | undefined, now: Date): Fault[] {
  if (requested == null) return [];
  const last = new Date(now.getTime() + MAX_AHEAD_DAYS * DAY_MS);
  const at = Date.parse(requested);
  if (at > now.getTime() && at <= last.getTime()) return [];
  const detail = `It must be in the future and at most ${MAX_AHEAD_DAYS} days ahead: after ${now.toISOString()}, until ${last.toISOString()}.`;
  return [{ pointer: "#/foc_requested", code: "date_out_of_range", detail }];
}

/**
 * Refuses such a date, with all faults of its request. For `prepare`, which a replay skips: the date of what it repeats
 * may have passed since.
 * @throws `validation_failed`
 */
export async function requireFocInRange(
  requested: string | null | undefined,
  now: Date,
  findFaults: () => Promise<readonly Fault[]>,
): Promise<void> {
  if (findFocFaults(requested, now).length > 0) throw invalid("body", await findFaults());
}
