import type { Actor } from "../../domain/order/rules/order.ts";
import type { AccountPrincipal } from "./principal.ts";

/** A customer acts through an API key, or through the portal session that the key made. */
export function customerActor({ keyId, portal }: AccountPrincipal): Actor {
  return { type: "customer", id: keyId, name: portal === undefined ? null : "portal" };
}
