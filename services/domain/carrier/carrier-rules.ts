import type { Order } from "../order/order.ts";
import type { CarrierRuleFault } from "./carrier-rule-fault.ts";
import { faultAt, findDateFault, findTimeFault, unknownKind } from "./carrier-rule-fault.ts";

const MAX_ID_LENGTH = 255;
/** An order keeps what a carrier said and sends it on, in messages that must not become too large. */
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  raw_status: 1_000,
  raw_code: 255,
  raw_text: 65_536,
  comment: 65_536,
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

/** What no carrier may say of an order, whatever its state (spec/messages.md); null where all is well. */
export function findCarrierRuleFault(update: RuledUpdate, order: Order): CarrierRuleFault | null {
  return findUnreadable(update) ?? findMisfit(update, order);
}

/** What no service could store. */
export function findUnreadable(update: RuledUpdate): CarrierRuleFault | null {
  const { update_id: id, raw_status, comment, rejection } = update;
  if (id === "" || id.length > MAX_ID_LENGTH) {
    return faultAt("update_id", "invalid_value", `It has 1 to ${MAX_ID_LENGTH} characters.`);
  }
  const texts: Readonly<Record<string, string | null>> = {
    update_id: id,
    raw_status,
    comment,
    ...rejection,
  };
  const [broken] = Object.entries(texts).find(([, text]) => text?.includes("\0") === true) ?? [];
  if (broken !== undefined) return faultAt(broken, "invalid_value", "It holds a NUL character.");
  for (const [name, most] of Object.entries(MAX_LENGTHS)) {
    const length = texts[name]?.length ?? 0;
    if (length > most) return faultAt(name, "too_long", `It has ${most} characters at most.`);
  }
  return findTimeFault(update.occurred_at);
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
