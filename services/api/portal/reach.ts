import { AppError } from "../../platform/errors.ts";
import { notFound } from "../../platform/http/body/check-request.ts";
import type { PathParams } from "../../platform/http/routing/caller.ts";
import type { CustomerRoute } from "../access/customer-routes.ts";
import type { PortalCaller } from "../access/principal.ts";

/** `account`: by a link to the account. `order`: by a link to that order too. */
type Reach = "account" | "order";

const ORDERS = "/v2/porting_orders";

/**
 * What a portal session reaches. A route without a row here is reached by none: keys, secrets, portal sessions, and the
 * stream, which would outlast its session.
 */
export const PORTAL_REACH: Readonly<Record<string, Reach>> = {
  [`GET ${ORDERS}/:id`]: "order",
  [`GET ${ORDERS}/:id/readiness`]: "order",
  [`POST ${ORDERS}/:id/submit`]: "order",
  [`PATCH ${ORDERS}/:id/requirements/:slug`]: "order",
  [`DELETE ${ORDERS}/:id/requirements/:slug`]: "order",
  [`GET ${ORDERS}/:id/loa`]: "order",
  [`POST ${ORDERS}/:id/loa/sign`]: "order",
  [`GET ${ORDERS}/:id/comments`]: "order",
  [`POST ${ORDERS}/:id/comments`]: "order",
  [`GET ${ORDERS}/:id/timeline`]: "order",
  "GET /v2/documents/:id": "order",

  [`POST ${ORDERS}`]: "account",
  [`GET ${ORDERS}`]: "account",
  [`PATCH ${ORDERS}/:id`]: "account",
  [`DELETE ${ORDERS}/:id`]: "account",
  [`POST ${ORDERS}/:id/cancel`]: "account",
  "GET /v2/porting_requirements": "account",
  "GET /v2/porting_exceptions": "account",
  "POST /v2/portability_checks": "account",
  "GET /v2/numbers": "account",
  "GET /v2/numbers/:phone_number": "account",
  "PATCH /v2/numbers/:phone_number": "account",
  "GET /v2/port_outs": "account",
  "GET /v2/port_outs/:id": "account",
  "POST /v2/port_outs/:id/approve": "account",
  "POST /v2/port_outs/:id/reject": "account",
  "GET /v2/porting/events": "account",
  "GET /v2/porting/events/:event_id": "account",
  "GET /v2/porting/events/:event_id/deliveries": "account",
  "POST /v2/porting/events/:event_id/republish": "account",
  "POST /v2/webhook_endpoints": "account",
  "GET /v2/webhook_endpoints": "account",
  "GET /v2/webhook_endpoints/:id": "account",
  "PATCH /v2/webhook_endpoints/:id": "account",
  "DELETE /v2/webhook_endpoints/:id": "account",
  "POST /v2/webhook_endpoints/:id/rotate_secret": "account",
  "POST /v2/webhook_endpoints/:id/test": "account",
  "POST /v2/webhook_endpoints/:id/recover": "account",
  "GET /v2/webhook_recoveries/:id": "account",
  "DELETE /v2/webhook_recoveries/:id": "account",
  "GET /v2/webhook_deliveries": "account",
  "GET /v2/webhook_deliveries/meta/event_types": "account",
  "GET /v2/webhook_deliveries/:id": "account",
  "POST /v2/webhook_deliveries/:id/retry": "account",
};

export type RouteName = Pick<CustomerRoute, "method" | "path">;

/** @throws `forbidden` for a command that another site may have sent, `not_found` for what the session does not reach */
export function authorizePortal(
  caller: PortalCaller,
  { method, path }: RouteName,
  params: PathParams,
): void {
  if (method !== "GET" && !caller.isFromOurPage) {
    const detail = "A command by cookie needs our own Origin and the header Portal-CSRF.";
    throw new AppError("forbidden", detail);
  }
  const reach = PORTAL_REACH[`${method} ${path}`];
  if (reach === undefined) throw notFound();
  if (caller.orderId === null) return;
  // Whether a document is the order's is known where it is found.
  const isOwn =
    path === "/v2/documents/:id" || params["id"]?.toLowerCase() === caller.orderId.toLowerCase();
  if (reach !== "order" || !isOwn) throw notFound();
}
