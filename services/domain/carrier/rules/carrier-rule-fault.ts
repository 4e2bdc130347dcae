import { z } from "zod";

const LAST_INSTANT = Date.UTC(9999, 11, 31);
const INSTANT = z.iso.datetime({ offset: true });

/** A fault in a carrier's update: where it is, a code and a sentence. */
export interface CarrierRuleFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export function faultAt(path: string, code: string, detail: string): CarrierRuleFault {
  return { pointer: `#/${path}`, code, detail };
}

export function unknownKind(): CarrierRuleFault {
  return faultAt("kind", "invalid_value", "This version does not know the kind.");
}

/** Checks an update's `occurred_at`, in epoch milliseconds. */
export function findTimeFault(occurredAt: number): CarrierRuleFault | null {
  return isOfThisEra(occurredAt) ? null : otherEra("occurred_at");
}

function isOfThisEra(instant: number): boolean {
  return instant >= 0 && instant <= LAST_INSTANT;
}

function otherEra(name: string): CarrierRuleFault {
  return faultAt(name, "invalid_value", "It is not between 1970 and 9999.");
}

/** Checks a date sent by a carrier; an absent date has no fault. */
export function findDateFault(name: string, text: string | null): CarrierRuleFault | null {
  if (text === null) return null;
  if (!INSTANT.safeParse(text).success) {
    return faultAt(name, "invalid_format", "It is not an ISO 8601 instant with a UTC offset.");
  }
  return isOfThisEra(Date.parse(text)) ? null : otherEra(name);
}
