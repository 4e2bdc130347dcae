import type { Actor } from "../../domain/order/rules/order.ts";
import type { AccountPrincipal } from "./principal.ts";

/** A customer acts through an API key, so the key's id identifies the actor. */
export function customerActor(principal: AccountPrincipal): Actor {
  return { type: "customer", id: principal.keyId, name: null };
}
