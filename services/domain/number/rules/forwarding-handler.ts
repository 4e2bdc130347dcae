import { MANUAL_CARRIER } from "../../carrier/rules/carrier-directory.ts";
import { takesRequest, type Providers } from "../../carrier/rules/provider.ts";
import type { Forwarding } from "./platform-number.ts";

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
