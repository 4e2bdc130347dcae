import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../../messages/bus/outgoing.ts";
import { newIds } from "../../../platform/ids.ts";
import type { PlatformNumber } from "./platform-number.ts";

export type Hosted = Pick<PlatformNumber, "phone_number" | "provider">;

/** Asks the carrier that hosts a number for its forwarding, which is read when the request is made. */
export function forwardingRequest(
  context: MessageContext,
  { phone_number, provider }: Hosted,
  now: Date,
): OutgoingMessage {
  const [request_id = "", messageId = ""] = newIds(now, 2);
  const task = { request_id, kind: "apply_forwarding" as const, provider, phone_number };
  return outgoing(context, "porting.carrier-requests", {
    key: phone_number,
    messageId,
    message: task,
  });
}
