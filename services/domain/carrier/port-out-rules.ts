import { z } from "zod";
import type { PortOutUpdate } from "../../messages/generated/port-out-update.ts";
import { isE164 } from "../number/classify-number.ts";
import type { CarrierRuleFault } from "./carrier-rules.ts";

const MAX_ID_LENGTH = 255;
const MAX_TEXT_LENGTH = 255;
const MAX_NUMBERS = 1_000;
const LAST_INSTANT = Date.UTC(9999, 11, 31);
const INSTANT = z.iso.datetime({ offset: true });

function isInstant(text: string): boolean {
  return INSTANT.safeParse(text).success;
}

/** What no carrier may say of a port-out (spec/messages.md); null where all is well. No fault repeats a PIN. */
export function findPortOutFault(update: PortOutUpdate): CarrierRuleFault | null {
  return findUnreadable(update) ?? findWrongNumber(update) ?? findWrongRequest(update);
}

function findUnreadable(update: PortOutUpdate): CarrierRuleFault | null {
  const { update_id, port_out_ref, gaining_carrier, attempted_pin, occurred_at } = update;
  for (const [name, id] of Object.entries({ update_id, port_out_ref })) {
    if (id === "" || id.length > MAX_ID_LENGTH) {
      return fault(name, "invalid_value", `It has 1 to ${MAX_ID_LENGTH} characters.`);
    }
  }
  const texts = { update_id, port_out_ref, gaining_carrier, attempted_pin };
  for (const [name, text] of Object.entries(texts)) {
    if (text?.includes("\0") === true) return fault(name, "invalid_value", "It holds a NUL.");
    if ((text?.length ?? 0) > MAX_TEXT_LENGTH) return fault(name, "too_long", "It is too long.");
  }
  if (occurred_at < 0 || occurred_at > LAST_INSTANT) {
    return fault("occurred_at", "invalid_value", "It is no instant of this era.");
  }
  return null;
}

function findWrongNumber({ phone_numbers: numbers }: PortOutUpdate): CarrierRuleFault | null {
  if (numbers.length === 0) return fault("phone_numbers", "required", "It names no number.");
  if (numbers.length > MAX_NUMBERS) {
    return fault("phone_numbers", "too_many", `It names more than ${MAX_NUMBERS} numbers.`);
  }
  const wrong = numbers.findIndex((number) => !isE164(number));
  if (wrong >= 0) return fault(`phone_numbers/${wrong}`, "invalid_number", "It is not in E.164.");
  const repeated = numbers.findIndex((number, n) => numbers.indexOf(number) !== n);
  return repeated < 0
    ? null
    : fault(`phone_numbers/${repeated}`, "duplicate_number", "It is named twice.");
}

function findWrongRequest(update: PortOutUpdate): CarrierRuleFault | null {
  if (update.kind === "unrecognized") {
    return fault("kind", "invalid_value", "The kind is none that this version knows.");
  }
  if (update.kind === "requested" && update.gaining_carrier === "") {
    return fault("gaining_carrier", "required", "A request needs the carrier that asks.");
  }
  if (update.kind === "requested" && !isInstant(update.requested_foc)) {
    return fault("requested_foc", "invalid_format", "It is no ISO 8601 instant with its offset.");
  }
  if (update.foc_at !== null && !isInstant(update.foc_at)) {
    return fault("foc_at", "invalid_format", "It is no ISO 8601 instant with its offset.");
  }
  return null;
}

function fault(path: string, code: string, detail: string): CarrierRuleFault {
  return { pointer: `#/${path}`, code, detail };
}
