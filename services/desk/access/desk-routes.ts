import type { OperatorRole } from "../../domain/account/rules/operator-role.ts";
import { routesFor, type Route } from "../../platform/http/routing/route.ts";
import type { OperatorPrincipal, OperatorRequest } from "./operator.ts";

export type DeskRoute = Route<OperatorPrincipal>;

/** An operator's request with an id in its path. */
export interface DeskPath extends OperatorRequest {
  readonly params: { readonly id: string };
}

function routesOf(role: OperatorRole) {
  return routesFor<OperatorPrincipal, "operator">("operator", { role });
}

/** Routes by the least role that they need: `lead.POST(path, …)`. */
export const viewer = routesOf("viewer");
export const reviewer = routesOf("reviewer");
export const lead = routesOf("lead");
export const admin = routesOf("admin");
