import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../../messages/bus/outgoing.ts";
import { newIds } from "../../../platform/ids.ts";
import { MANUAL_CARRIER } from "../../carrier/rules/carrier-directory.ts";
import { takesRequest, type Providers } from "../../carrier/rules/provider.ts";
import type { Forwarding, PlatformNumber } from "./platform-number.ts";

/** Whether the carrier that hosts a number is asked to forward its calls. */
export function isAskedToForward(providers: Providers, provider: string): boolean {
  return takesRequest(providers, provider, "apply_forwarding");
}

/**
 * Who forwards the calls of a number. A carrier without an integration is informed by people, and one whose integration does
 * not take forwarding is not asked: the platform itself forwards the calls of both.
 */
export function forwardingHandler(
  providers: Providers,
  provider: string,
): Forwarding["handled_by"] {
  const isCarriers = provider !== MANUAL_CARRIER && isAskedToForward(providers, provider);
  return isCarriers ? "carrier" : "platform";
}

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
