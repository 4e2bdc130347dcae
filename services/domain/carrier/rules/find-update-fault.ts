import type { Order } from "../../order/rules/order.ts";
import {
  boundsOfOrder,
  faultAt,
  findDateFault,
  findLengthFault,
  findNulFault,
  findTimeFault,
  unknownKind,
  type CarrierRuleFault,
} from "./carrier-rule-fault.ts";

const MAX_ID_LENGTH = 255;
/** Maximum lengths in characters, because these texts are shown in every response and event of the order. */
const LONGEST: Readonly<Record<string, number>> = {
  raw_status: 1_000,
  comment: 4_000,
  "rejection/raw_code": 255,
  "rejection/raw_text": 4_000,
};

/** The fields of a status update that the rules check. */
export interface RuledUpdate {
  readonly update_id: string;
  /** The update's own kind, or the provider table's kind for its raw status. */
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
 * Finds the first fault of a status update, whatever the order's state (docs/contract/messages.md, What integrations
 * publish); null if it is valid.
 */
export function findCarrierRuleFault(
  update: RuledUpdate,
  order: Order,
  now: Date,
): CarrierRuleFault | null {
  return findUnreadable(update) ?? findMisfit(update, order, now);
}

/** Finds a fault that would prevent storing the update. */
export function findUnreadable(update: RuledUpdate): CarrierRuleFault | null {
  const { update_id: id, raw_status, comment, rejection } = update;
  if (id === "" || id.length > MAX_ID_LENGTH) {
    return faultAt("update_id", "invalid_value", `It must have 1 to ${MAX_ID_LENGTH} characters.`);
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
  return null;
}

function findTextFault(name: string, text: string): CarrierRuleFault | null {
  return findNulFault(name, text) ?? findLengthFault(name, text, LONGEST[name] ?? MAX_ID_LENGTH);
}

/** Finds a field that does not fit the order, the update's kind or the time. */
export function findMisfit(update: RuledUpdate, order: Order, now: Date): CarrierRuleFault | null {
  const bounds = boundsOfOrder(order, now);
  const known = new Set(order.numbers.map((number) => number.phone_number));
  const foreign = update.phone_numbers?.findIndex((number) => !known.has(number)) ?? -1;
  const dated = update.kind === "date_confirmed" || update.kind === "date_moved";
  if (update.kind === "unrecognized") return unknownKind();
  if (update.request_version > order.request_version || update.request_version < 1) {
    return faultAt("request_version", "never_sent", "This request version was never sent.");
  }
  if (update.phone_numbers?.length === 0) {
    return faultAt("phone_numbers", "required", "It lists no numbers; leave it out to mean all.");
  }
  if (foreign >= 0) {
    return faultAt(
      `phone_numbers/${foreign}`,
      "unknown_number",
      "It is not a number of the order.",
    );
  }
  if (dated && update.foc_at === null) {
    return faultAt("foc_at", "required", "It is required for this kind.");
  }
  const misdated =
    findTimeFault(update.occurred_at, bounds) ?? findDateFault("foc_at", update.foc_at, bounds);
  if (misdated !== null) return misdated;
  if (update.kind === "rejected" && update.rejection === null) {
    return faultAt("rejection", "required", "A rejection must have a code.");
  }
  return null;
}
