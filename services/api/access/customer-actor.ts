import type { Actor } from "../../domain/order/rules/order.ts";
import type { AccountPrincipal } from "./principal.ts";

/** A customer acts by a key: its id is who did it. */
export function customerActor(principal: AccountPrincipal): Actor {
  return { type: "customer", id: principal.keyId, name: null };
}
