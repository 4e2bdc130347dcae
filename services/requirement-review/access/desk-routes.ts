import { routesFor, type Route } from "../../platform/http/routing/route.ts";
import type { OperatorPrincipal } from "./operator.ts";

export type DeskRoute = Route<OperatorPrincipal>;

/** Routes that need an operator's token. */
export const { GET, POST } = routesFor<OperatorPrincipal, "operator">("operator");
