import { routesFor, type Route } from "../../platform/http/routing/route.ts";
import type { AccountPrincipal } from "./principal.ts";

export type CustomerRoute = Route<AccountPrincipal>;

/** Routes that need a key of an account. */
export const { GET, POST, PATCH, DELETE } = routesFor<AccountPrincipal, "account">("account");
