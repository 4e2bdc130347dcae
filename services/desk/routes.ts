import type { DeskRoute } from "./access/desk-routes.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { deadLetterRoutes } from "./dead-letters/routes.ts";
import type { DeskDeps } from "./desk-deps.ts";
import { documentRoutes } from "./documents/routes.ts";
import { healthRoutes } from "./health/routes.ts";
import { noteRoutes } from "./notes/routes.ts";
import { numberRoutes } from "./numbers/routes.ts";
import { operatorRoutes } from "./operators/routes.ts";
import { carrierUpdateRoutes } from "./orders/carrier-update-routes.ts";
import { orderRoutes } from "./orders/routes.ts";
import { portOutRoutes } from "./port-outs/routes.ts";
import { providerRoutes } from "./providers/routes.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import { deliveryRoutes } from "./webhooks/delivery-routes.ts";
import { endpointRoutes } from "./webhooks/endpoint-routes.ts";
import { sandboxCallRoutes } from "./sandbox/call-routes.ts";
import { sandboxCommentRoutes } from "./sandbox/comment-routes.ts";
import { sandboxPortOutRoutes } from "./sandbox/port-out-routes.ts";
import { sessionRoutes } from "./session/routes.ts";
import { statisticsRoutes } from "./statistics/routes.ts";
import { streamRoutes } from "./stream/routes.ts";

/** Every route of the desk, in the order of its OpenAPI document. */
export function deskRoutes(deps: DeskDeps): DeskRoute[] {
  return [
    ...sessionRoutes(deps),
    ...streamRoutes(deps),
    ...operatorRoutes(deps),
    ...accountRoutes(deps),
    ...auditRoutes(),
    ...reviewRoutes(deps),
    ...documentRoutes(deps),
    ...orderRoutes(deps),
    ...noteRoutes(deps),
    ...carrierUpdateRoutes(deps),
    ...numberRoutes(deps),
    ...portOutRoutes(deps),
    ...providerRoutes(deps),
    ...deliveryRoutes(),
    ...endpointRoutes(deps),
    ...deadLetterRoutes(deps),
    ...healthRoutes(deps),
    ...statisticsRoutes(deps),
  ];
}

/** Routes by which operators play carriers and calls. */
export function sandboxRoutes(deps: DeskDeps): DeskRoute[] {
  return [...sandboxPortOutRoutes(deps), ...sandboxCallRoutes(deps), ...sandboxCommentRoutes(deps)];
}
