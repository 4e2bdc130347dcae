import type { CallUpdate } from "../../../messages/generated/call-update.ts";
import { isE164 } from "../../number/rules/classify-number.ts";
import {
  faultAt,
  findTimeFault,
  unknownKind,
  type CarrierRuleFault,
} from "./carrier-rule-fault.ts";

const MAX_TEXT_LENGTH = 255;

/** What each kind of update must say besides what all say. */
const NEEDED = {
  forwarded: ["forwarded_by", "stage"],
  completed: ["duration_seconds", "ended_by"],
  missed: ["reason"],
} as const satisfies Record<
  Exclude<CallUpdate["kind"], "unrecognized">,
  readonly (keyof CallUpdate)[]
>;

/** What nobody may say of a call (docs/contract/messages.md, What integrations publish); null where all is well. */
export function findCallFault(update: CallUpdate): CarrierRuleFault | null {
  const { call_id, provider, from, to, kind } = update;
  const texts = Object.entries({ call_id, provider, from, to });
  for (const [name, text] of texts) {
    if (text.length > MAX_TEXT_LENGTH) return faultAt(name, "too_long", "It is too long.");
    if (text.includes("\0")) return faultAt(name, "invalid_value", "It holds a NUL.");
  }
  if (call_id === "") return faultAt("call_id", "required", "It is required.");
  if (provider === "") return faultAt("provider", "required", "It is required.");
  if (!isE164(update.phone_number))
    return faultAt("phone_number", "invalid_number", "It is not in E.164.");
  const mistimed = findTimeFault(update.occurred_at);
  if (mistimed !== null) return mistimed;
  if (kind === "unrecognized") return unknownKind();
  for (const name of NEEDED[kind]) {
    const value = update[name];
    if (value === null) return faultAt(name, "required", `A call that was ${kind} needs it.`);
    if (value === "unrecognized") {
      return faultAt(name, "invalid_value", "It is none that this version knows.");
    }
  }
  if ((update.duration_seconds ?? 0) < 0) {
    return faultAt("duration_seconds", "invalid_value", "It is less than nothing.");
  }
  return null;
}
