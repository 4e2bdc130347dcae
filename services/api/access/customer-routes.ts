import { routesFor, type Route } from "../../platform/http/routing/route.ts";
import type { AccountPrincipal } from "./principal.ts";

export type CustomerRoute = Route<AccountPrincipal>;

/** Who names what in a path. */
export interface CustomerPath {
  readonly principal: AccountPrincipal;
  readonly params: { readonly id: string };
}

/** Routes that need a key of an account. */
export const { GET, POST, PATCH, DELETE } = routesFor<AccountPrincipal, "account">("account");
