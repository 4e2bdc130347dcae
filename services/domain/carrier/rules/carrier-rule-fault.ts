import { hasAtMost } from "../../../platform/characters.ts";
import {
  instantText,
  MAX_INSTANT_LENGTH,
  MAX_OFFSET,
} from "../../../platform/calendar/instant-text.ts";

/** A fault in a carrier's update: where it is, a code and a sentence. */
export interface CarrierRuleFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export function faultAt(path: string, code: string, detail: string): CarrierRuleFault {
  return { pointer: `#/${path}`, code, detail };
}

/** Postgres stores no NUL character in a text. */
export function findNulFault(path: string, text: string): CarrierRuleFault | null {
  if (!text.includes("\0")) return null;
  return faultAt(path, "invalid_value", "It contains a NUL character.");
}

export function findLengthFault(
  path: string,
  text: string,
  longest: number,
): CarrierRuleFault | null {
  if (hasAtMost(longest, text)) return null;
  return faultAt(path, "too_long", `It has more than ${longest} characters.`);
}

export function unknownKind(): CarrierRuleFault {
  return faultAt("kind", "invalid_value", "This version does not know the kind.");
}

/** The span of time, in epoch milliseconds, in which what a carrier reports can have happened. */
export interface TimeBounds {
  readonly earliest: number;
  readonly now: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** How far a carrier's clock may be ahead of ours. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** How far ahead a carrier may plan. */
const FURTHEST_DATE_MS = 365 * DAY_MS;
/** Nothing that is reported here happened before; times in seconds instead of milliseconds lie in 1970. */
const FIRST_OF_ALL = Date.UTC(2020, 0, 1);

/** The bounds of what is reported on an order: nothing happens to it earlier than the day before it was made. */
export function boundsOfOrder(
  { created_at }: { readonly created_at: Date },
  now: Date,
): TimeBounds {
  return { earliest: created_at.getTime() - DAY_MS, now: now.getTime() };
}

/** The bounds of what is reported on anything else. */
export function boundsAt(now: Date): TimeBounds {
  return { earliest: FIRST_OF_ALL, now: now.getTime() };
}

/** Checks an update's `occurred_at`, in epoch milliseconds. */
export function findTimeFault(occurredAt: number, bounds: TimeBounds): CarrierRuleFault | null {
  const latest = bounds.now + CLOCK_TOLERANCE_MS;
  return findSpanFault("occurred_at", occurredAt, { ...bounds, latest });
}

/** Checks a date sent by a carrier; an absent date has no fault. */
export function findDateFault(
  name: string,
  text: string | null,
  bounds: TimeBounds,
): CarrierRuleFault | null {
  if (text === null) return null;
  const read = instantText.safeParse(text);
  if (!read.success) {
    return faultAt(
      name,
      "invalid_format",
      `It is not an ISO 8601 instant with an offset of ${MAX_OFFSET} at most from UTC, in up to ${MAX_INSTANT_LENGTH} characters.`,
    );
  }
  return findSpanFault(name, Date.parse(read.data), {
    ...bounds,
    latest: bounds.now + FURTHEST_DATE_MS,
  });
}

function findSpanFault(
  name: string,
  instant: number,
  { earliest, latest }: { readonly earliest: number; readonly latest: number },
): CarrierRuleFault | null {
  if (instant >= earliest && instant <= latest) return null;
  const [is, from, to] = [instant, earliest, latest].map(readable);
  return faultAt(name, "invalid_value", `It is ${is}, which is not between ${from} and ${to}.`);
}

/** ISO 8601, or the number itself where no calendar has the instant. */
function readable(instant: number): string {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? String(instant) : date.toISOString();
}
