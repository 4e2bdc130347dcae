import { routesFor, type Route } from "../../platform/http/routing/route.ts";
import type { OperatorPrincipal, OperatorRequest } from "./operator.ts";

export type DeskRoute = Route<OperatorPrincipal>;

/** An operator's request with an id in its path. */
export interface DeskPath extends OperatorRequest {
  readonly params: { readonly id: string };
}

/** Routes that need an operator's token. */
export const { GET, POST, PATCH, DELETE } = routesFor<OperatorPrincipal, "operator">("operator");
