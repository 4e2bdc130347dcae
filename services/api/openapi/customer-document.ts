import { describeApi } from "../../platform/openapi/describe-api.ts";
import type { ApiDeps } from "../api-deps.ts";
import { apiRoutes } from "../routes.ts";
import { API_DESCRIPTION } from "./api-description.ts";

/** Routes take what they need apart when they are defined, and use it only when they are called. */
const UNUSED = { bus: {}, live: {} } as unknown as ApiDeps;

/** The OpenAPI document of the customers' routes, without a running service; it has no health or documentation routes. */
export function customerDocument(): object {
  return describeApi(apiRoutes(UNUSED), API_DESCRIPTION, "");
}
