import type { Order } from "../order/order.ts";

/** What of a carrier's update the rules look at. */
export interface RuledUpdate {
  readonly kind: string | null;
  readonly request_version: number;
  readonly foc_at: string | null;
  readonly rejection: { readonly raw_code: string } | null;
  readonly phone_numbers: readonly string[] | null;
}

export interface CarrierRuleFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** What no carrier may say of an order, whatever its state (spec/messages.md); null where all is well. */
export function findCarrierRuleFault(update: RuledUpdate, order: Order): CarrierRuleFault | null {
  const known = new Set(order.numbers.map((number) => number.phone_number));
  const foreign = update.phone_numbers?.findIndex((number) => !known.has(number)) ?? -1;
  const dated = update.kind === "date_confirmed" || update.kind === "date_moved";
  if (update.kind === "unrecognized") {
    return fault("kind", "invalid_value", "The kind is none that this version knows.");
  }
  if (update.request_version > order.request_version || update.request_version < 1) {
    return fault("request_version", "never_sent", "That version was never sent.");
  }
  if (foreign >= 0) {
    return fault(`phone_numbers/${foreign}`, "unknown_number", "It is not one of the order's.");
  }
  if (dated && update.foc_at === null) {
    return fault("foc_at", "required", "A date word needs its date.");
  }
  if (update.foc_at !== null && Number.isNaN(Date.parse(update.foc_at))) {
    return fault("foc_at", "invalid_format", "It is no ISO 8601 instant.");
  }
  if (update.kind === "rejected" && update.rejection === null) {
    return fault("rejection", "required", "A rejection needs its code.");
  }
  return null;
}

function fault(path: string, code: string, detail: string): CarrierRuleFault {
  return { pointer: `#/${path}`, code, detail };
}
