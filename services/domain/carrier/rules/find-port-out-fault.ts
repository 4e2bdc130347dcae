import type { PortOutUpdate } from "../../../messages/generated/port-out-update.ts";
import { isE164 } from "../../number/rules/classify-number.ts";
import {
  boundsAt,
  faultAt,
  findDateFault,
  findLengthFault,
  findNulFault,
  findTimeFault,
  unknownKind,
  type CarrierRuleFault,
  type TimeBounds,
} from "./carrier-rule-fault.ts";

const MAX_ID_LENGTH = 255;
const MAX_TEXT_LENGTH = 255;
const MAX_NUMBERS = 1_000;

/**
 * Finds the first fault of a port-out update (docs/contract/messages.md, What integrations publish); null if it is
 * valid. Faults never repeat a PIN.
 */
export function findPortOutFault(update: PortOutUpdate, now: Date): CarrierRuleFault | null {
  const bounds = boundsAt(now);
  return (
    findUnreadable(update) ??
    findTimeFault(update.occurred_at, bounds) ??
    findWrongNumber(update) ??
    findWrongRequest(update, bounds)
  );
}

function findUnreadable(update: PortOutUpdate): CarrierRuleFault | null {
  const { update_id, port_out_ref, gaining_carrier, requested_foc, attempted_pin } = update;
  for (const [name, id] of Object.entries({ update_id, port_out_ref })) {
    if (id === "" || id.length > MAX_ID_LENGTH) {
      return faultAt(name, "invalid_value", `It must have 1 to ${MAX_ID_LENGTH} characters.`);
    }
  }
  const texts = { update_id, port_out_ref, gaining_carrier, requested_foc, attempted_pin };
  for (const [name, text] of Object.entries(texts)) {
    if (text === null) continue;
    const fault = findNulFault(name, text) ?? findLengthFault(name, text, MAX_TEXT_LENGTH);
    if (fault !== null) return fault;
  }
  return null;
}

function findWrongNumber({ phone_numbers: numbers }: PortOutUpdate): CarrierRuleFault | null {
  if (numbers.length === 0) return faultAt("phone_numbers", "required", "It lists no numbers.");
  if (numbers.length > MAX_NUMBERS) {
    return faultAt("phone_numbers", "too_many", `It lists more than ${MAX_NUMBERS} numbers.`);
  }
  const wrong = numbers.findIndex((number) => !isE164(number));
  if (wrong >= 0) return faultAt(`phone_numbers/${wrong}`, "invalid_number", "It is not in E.164.");
  const repeated = numbers.findIndex((number, n) => numbers.indexOf(number) !== n);
  return repeated < 0
    ? null
    : faultAt(`phone_numbers/${repeated}`, "duplicate_number", "It is listed twice.");
}

function findWrongRequest(update: PortOutUpdate, bounds: TimeBounds): CarrierRuleFault | null {
  if (update.kind === "unrecognized") return unknownKind();
  if (update.kind === "requested" && update.gaining_carrier === "") {
    return faultAt("gaining_carrier", "required", "A request must name the gaining carrier.");
  }
  const asked = update.kind === "requested" ? update.requested_foc : null;
  return (
    findDateFault("requested_foc", asked, bounds) ?? findDateFault("foc_at", update.foc_at, bounds)
  );
}
