import { describeApi } from "../platform/openapi/describe-api.ts";
import type { CustomerRoute } from "./access/customer-routes.ts";
import type { ApiDeps } from "./api-deps.ts";
import { batchRoutes } from "./batches/routes.ts";
import { documentRoutes } from "./documents/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { eventStreamRoutes } from "./events/stream/routes.ts";
import { portingExceptionRoutes } from "./exceptions/routes.ts";
import { apiKeyRoutes } from "./keys/routes.ts";
import { loaRoutes } from "./loa/routes.ts";
import { numberDefaultsRoutes } from "./numbers/defaults.ts";
import { numberRoutes } from "./numbers/routes.ts";
import { API_DESCRIPTION } from "./openapi/api-description.ts";
import { orderChangeRoutes } from "./orders/change-routes.ts";
import { orderNoteRoutes } from "./orders/note-routes.ts";
import { portingOrderRoutes } from "./orders/routes.ts";
import { portOutRoutes } from "./port-outs/routes.ts";
import { portabilityCheckRoutes } from "./portability/routes.ts";
import { logoRoute, portalBrandingRoutes } from "./portal/branding/routes.ts";
import { portalPageRoutes, portalSessionRoutes } from "./portal/routes.ts";
import { requirementGroupRoutes } from "./requirement-groups/routes.ts";
import { requirementRoutes } from "./requirements/routes.ts";
import { webhookDeliveryRoutes } from "./webhooks/deliveries/routes.ts";
import {
  accountSecretRoutes,
  webhookEndpointActionRoutes,
  webhookEndpointRoutes,
} from "./webhooks/endpoints/routes.ts";
import { webhookRecoveryRoutes } from "./webhooks/recoveries/routes.ts";

/** Every route of the customer API, in the order of its OpenAPI document. */
export function apiRoutes(deps: ApiDeps): CustomerRoute[] {
  return [
    ...apiKeyRoutes(deps),
    ...portingOrderRoutes(deps),
    ...orderChangeRoutes(deps),
    ...batchRoutes(deps),
    ...requirementRoutes(deps),
    ...requirementGroupRoutes(deps),
    ...loaRoutes(deps),
    ...documentRoutes(deps),
    ...orderNoteRoutes(deps),
    ...portingExceptionRoutes(),
    ...numberRoutes(deps),
    ...numberDefaultsRoutes(deps),
    ...portOutRoutes(deps),
    ...portabilityCheckRoutes(deps),
    ...eventRoutes(deps),
    ...eventStreamRoutes(deps),
    ...webhookEndpointRoutes(deps),
    ...webhookEndpointActionRoutes(deps),
    ...accountSecretRoutes(deps),
    ...webhookRecoveryRoutes(deps),
    ...webhookDeliveryRoutes(deps),
    ...portalSessionRoutes(deps),
    ...portalBrandingRoutes(deps),
    ...portalPageRoutes(deps),
    logoRoute(),
  ];
}

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
