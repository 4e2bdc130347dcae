import type { ApiDeps } from "./api-deps.ts";
import type { CustomerRoute } from "./access/customer-routes.ts";
import { documentRoutes } from "./documents/routes.ts";
import { eventRoutes } from "./events/routes.ts";
import { eventStreamRoutes } from "./events/stream/routes.ts";
import { portingExceptionRoutes } from "./exceptions/routes.ts";
import { apiKeyRoutes } from "./keys/routes.ts";
import { loaRoutes } from "./loa/routes.ts";
import { numberRoutes } from "./numbers/routes.ts";
import { orderCommandRoutes } from "./orders/command-routes.ts";
import { orderNoteRoutes } from "./orders/note-routes.ts";
import { portingOrderRoutes } from "./orders/routes.ts";
import { portOutRoutes } from "./port-outs/routes.ts";
import { portalPageRoutes } from "./portal/page-routes.ts";
import { portalSessionRoutes } from "./portal/routes.ts";
import { portabilityCheckRoutes } from "./portability/routes.ts";
import { requirementRoutes } from "./requirements/routes.ts";
import { accountSecretRoutes } from "./webhooks/account-secret-routes.ts";
import { webhookDeliveryRoutes } from "./webhooks/deliveries/routes.ts";
import { webhookEndpointActionRoutes } from "./webhooks/endpoints/action-routes.ts";
import { webhookEndpointRoutes } from "./webhooks/endpoints/routes.ts";
import { webhookRecoveryRoutes } from "./webhooks/recoveries/routes.ts";

/** Every route of the customer API, in the order of its OpenAPI document. */
export function apiRoutes(deps: ApiDeps): CustomerRoute[] {
  return [
    ...apiKeyRoutes(deps),
    ...portingOrderRoutes(deps),
    ...orderCommandRoutes(deps),
    ...requirementRoutes(deps),
    ...loaRoutes(deps),
    ...documentRoutes(deps),
    ...orderNoteRoutes(deps),
    ...portingExceptionRoutes(),
    ...numberRoutes(deps),
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
    ...portalPageRoutes(deps),
  ];
}
