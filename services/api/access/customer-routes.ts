import type { Database } from "../../platform/db/transaction.ts";
import { routesFor, type Route } from "../../platform/http/routing/route.ts";
import type { AccountPrincipal } from "./principal.ts";

export type CustomerRoute = Route<AccountPrincipal>;

/** The caller and the object id in the path. */
export interface CustomerPath {
  readonly db: Database;
  readonly principal: AccountPrincipal;
  readonly params: { readonly id: string };
}

/** Routes that require an account's API key. */
export const { GET, POST, PATCH, DELETE } = routesFor<AccountPrincipal, "account">("account");
