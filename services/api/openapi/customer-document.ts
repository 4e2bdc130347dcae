import { describeApi } from "../../platform/openapi/describe-api.ts";
import type { CustomerRoute } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { apiRoutes } from "../routes.ts";
import { API_DESCRIPTION } from "./api-description.ts";

/** Routes take what they need apart when they are defined, and use it only when they are called. */
const UNUSED = { bus: {}, live: {} } as unknown as ApiDeps;

/** The customers' routes as they are described, without a running service. */
export function describedRoutes(): CustomerRoute[] {
  return apiRoutes(UNUSED);
}

/** The OpenAPI document of the customers' routes; it has no health or documentation routes. */
export function customerDocument(): object {
  return describeApi(describedRoutes(), API_DESCRIPTION, "");
}
