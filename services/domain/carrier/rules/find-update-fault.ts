import type { Order } from "../../order/rules/order.ts";
import {
  faultAt,
  findDateFault,
  findTimeFault,
  unknownKind,
  type CarrierRuleFault,
} from "./carrier-rule-fault.ts";

const MAX_ID_LENGTH = 255;
/** In characters: what a carrier writes is shown with every answer and event of its order. */
const LONGEST: Readonly<Record<string, number>> = {
  raw_status: 1_000,
  comment: 4_000,
  "rejection/raw_code": 255,
  "rejection/raw_text": 4_000,
};

/** What of a carrier's update the rules look at. */
export interface RuledUpdate {
  readonly update_id: string;
  /** What was said, or what the provider's table makes of it. */
  readonly kind: string | null;
  /** Epoch milliseconds. */
  readonly occurred_at: number;
  readonly raw_status: string;
  readonly comment: string | null;
  readonly request_version: number;
  readonly foc_at: string | null;
  readonly rejection: { readonly raw_code: string; readonly raw_text: string } | null;
  readonly phone_numbers: readonly string[] | null;
}

/**
 * What no carrier may publish of an order, whatever its state (docs/contract/messages.md, What integrations publish);
 * null where all is well.
 */
export function findCarrierRuleFault(update: RuledUpdate, order: Order): CarrierRuleFault | null {
  return findUnreadable(update) ?? findMisfit(update, order);
}

/** What no service could store. */
export function findUnreadable(update: RuledUpdate): CarrierRuleFault | null {
  const { update_id: id, raw_status, comment, rejection } = update;
  if (id === "" || id.length > MAX_ID_LENGTH) {
    return faultAt("update_id", "invalid_value", `It has 1 to ${MAX_ID_LENGTH} characters.`);
  }
  const texts = {
    update_id: id,
    raw_status,
    comment,
    "rejection/raw_code": rejection?.raw_code,
    "rejection/raw_text": rejection?.raw_text,
  };
  for (const [name, text = ""] of Object.entries(texts)) {
    const fault = text === null ? null : findTextFault(name, text);
    if (fault !== null) return fault;
  }
  return findTimeFault(update.occurred_at);
}

function findTextFault(name: string, text: string): CarrierRuleFault | null {
  if (text.includes("\0")) return faultAt(name, "invalid_value", "It holds a NUL character.");
  const longest = LONGEST[name] ?? MAX_ID_LENGTH;
  if (text.length <= longest || Array.from(text).length <= longest) return null;
  return faultAt(name, "too_long", `It has more than ${longest} characters.`);
}

/** What does not belong to this order or this kind of word. */
export function findMisfit(update: RuledUpdate, order: Order): CarrierRuleFault | null {
  const known = new Set(order.numbers.map((number) => number.phone_number));
  const foreign = update.phone_numbers?.findIndex((number) => !known.has(number)) ?? -1;
  const dated = update.kind === "date_confirmed" || update.kind === "date_moved";
  if (update.kind === "unrecognized") return unknownKind();
  if (update.request_version > order.request_version || update.request_version < 1) {
    return faultAt("request_version", "never_sent", "That version was never sent.");
  }
  if (update.phone_numbers?.length === 0) {
    return faultAt("phone_numbers", "required", "It names no number; left out, it means all.");
  }
  if (foreign >= 0) {
    return faultAt(`phone_numbers/${foreign}`, "unknown_number", "It is not one of the order's.");
  }
  if (dated && update.foc_at === null) {
    return faultAt("foc_at", "required", "A date word needs its date.");
  }
  const misdated = findDateFault("foc_at", update.foc_at);
  if (misdated !== null) return misdated;
  if (update.kind === "rejected" && update.rejection === null) {
    return faultAt("rejection", "required", "A rejection needs its code.");
  }
  return null;
}
