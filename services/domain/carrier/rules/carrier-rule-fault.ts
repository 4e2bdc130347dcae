import { z } from "zod";

const LAST_INSTANT = Date.UTC(9999, 11, 31);
const INSTANT = z.iso.datetime({ offset: true });

/** What a carrier may not say: where in its update, a code and a sentence. */
export interface CarrierRuleFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export function faultAt(path: string, code: string, detail: string): CarrierRuleFault {
  return { pointer: `#/${path}`, code, detail };
}

export function unknownKind(): CarrierRuleFault {
  return faultAt("kind", "invalid_value", "The kind is none that this version knows.");
}

/** Of an update's `occurred_at`, in epoch milliseconds. */
export function findTimeFault(occurredAt: number): CarrierRuleFault | null {
  return isOfThisEra(occurredAt) ? null : otherEra("occurred_at");
}

function isOfThisEra(instant: number): boolean {
  return instant >= 0 && instant <= LAST_INSTANT;
}

function otherEra(name: string): CarrierRuleFault {
  return faultAt(name, "invalid_value", "It is no instant of this era.");
}

/** Of a date that a carrier writes; null where it writes none. */
export function findDateFault(name: string, text: string | null): CarrierRuleFault | null {
  if (text === null) return null;
  if (!INSTANT.safeParse(text).success) {
    return faultAt(name, "invalid_format", "It is no ISO 8601 instant with its offset.");
  }
  return isOfThisEra(Date.parse(text)) ? null : otherEra(name);
}
