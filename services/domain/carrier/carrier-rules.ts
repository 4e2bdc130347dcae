import { z } from "zod";
import type { Order } from "../order/order.ts";

const MAX_ID_LENGTH = 255;
const LAST_INSTANT = Date.UTC(9999, 11, 31);
const INSTANT = z.iso.datetime({ offset: true });

function isInstant(text: string): boolean {
  return INSTANT.safeParse(text).success;
}

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

export interface CarrierRuleFault {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** What no carrier may say of an order, whatever its state (spec/messages.md); null where all is well. */
export function findCarrierRuleFault(update: RuledUpdate, order: Order): CarrierRuleFault | null {
  return findUnreadable(update) ?? findMisfit(update, order);
}

/** What no service could store. */
export function findUnreadable(update: RuledUpdate): CarrierRuleFault | null {
  const { update_id: id, raw_status, comment, rejection } = update;
  if (id === "" || id.length > MAX_ID_LENGTH) {
    return fault("update_id", "invalid_value", `It has 1 to ${MAX_ID_LENGTH} characters.`);
  }
  const texts = { update_id: id, raw_status, comment, ...rejection };
  const [broken] = Object.entries(texts).find(([, text]) => text?.includes("\0") === true) ?? [];
  if (broken !== undefined) return fault(broken, "invalid_value", "It holds a NUL character.");
  if (update.occurred_at < 0 || update.occurred_at > LAST_INSTANT) {
    return fault("occurred_at", "invalid_value", "It is no instant of this era.");
  }
  return null;
}

/** What does not belong to this order or this kind of word. */
export function findMisfit(update: RuledUpdate, order: Order): CarrierRuleFault | null {
  const known = new Set(order.numbers.map((number) => number.phone_number));
  const foreign = update.phone_numbers?.findIndex((number) => !known.has(number)) ?? -1;
  const dated = update.kind === "date_confirmed" || update.kind === "date_moved";
  if (update.kind === "unrecognized") {
    return fault("kind", "invalid_value", "The kind is none that this version knows.");
  }
  if (update.request_version > order.request_version || update.request_version < 1) {
    return fault("request_version", "never_sent", "That version was never sent.");
  }
  if (update.phone_numbers?.length === 0) {
    return fault("phone_numbers", "required", "It names no number; left out, it means all.");
  }
  if (foreign >= 0) {
    return fault(`phone_numbers/${foreign}`, "unknown_number", "It is not one of the order's.");
  }
  if (dated && update.foc_at === null) {
    return fault("foc_at", "required", "A date word needs its date.");
  }
  if (update.foc_at !== null && !isInstant(update.foc_at)) {
    return fault("foc_at", "invalid_format", "It is no ISO 8601 instant with its offset.");
  }
  if (update.kind === "rejected" && update.rejection === null) {
    return fault("rejection", "required", "A rejection needs its code.");
  }
  return null;
}

function fault(path: string, code: string, detail: string): CarrierRuleFault {
  return { pointer: `#/${path}`, code, detail };
}
