import type { CallUpdate } from "../../../messages/generated/call-update.ts";
import { isE164 } from "../../number/rules/classify-number.ts";
import {
  boundsAt,
  faultAt,
  findLengthFault,
  findNulFault,
  findTimeFault,
  unknownKind,
  type CarrierRuleFault,
} from "./carrier-rule-fault.ts";

const MAX_TEXT_LENGTH = 255;

/** The fields required for each kind of update, besides the common ones. */
const NEEDED = {
  forwarded: ["forwarded_by", "stage"],
  completed: ["duration_seconds", "ended_by"],
  missed: ["reason"],
} as const satisfies Record<
  Exclude<CallUpdate["kind"], "unrecognized">,
  readonly (keyof CallUpdate)[]
>;

/** Finds the first fault of a call update (docs/contract/messages.md, What integrations publish); null if it is valid. */
export function findCallFault(update: CallUpdate, now: Date): CarrierRuleFault | null {
  const { call_id, provider, from, to, kind } = update;
  const texts = Object.entries({ call_id, provider, from, to });
  for (const [name, text] of texts) {
    const fault = findLengthFault(name, text, MAX_TEXT_LENGTH) ?? findNulFault(name, text);
    if (fault !== null) return fault;
  }
  if (call_id === "") return faultAt("call_id", "required", "It is required.");
  if (provider === "") return faultAt("provider", "required", "It is required.");
  if (!isE164(update.phone_number))
    return faultAt("phone_number", "invalid_number", "It is not in E.164.");
  const mistimed = findTimeFault(update.occurred_at, boundsAt(now));
  if (mistimed !== null) return mistimed;
  if (kind === "unrecognized") return unknownKind();
  for (const name of NEEDED[kind]) {
    const value = update[name];
    if (value === null) return faultAt(name, "required", `It is required for a ${kind} call.`);
    if (value === "unrecognized") {
      return faultAt(name, "invalid_value", "This version does not know the value.");
    }
  }
  if ((update.duration_seconds ?? 0) < 0) {
    return faultAt("duration_seconds", "invalid_value", "It must not be negative.");
  }
  return null;
}
