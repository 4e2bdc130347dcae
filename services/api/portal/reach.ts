import { notFound } from "../../platform/http/body/check-request.ts";
import type { CustomerRoute } from "../access/customer-routes.ts";
import type { PortalCaller } from "../access/principal.ts";

/** `account`: by a link to the account. `order`: by a link to that order too. */
type Reach = "account" | "order";

const ORDERS = "/v2/porting_orders";
const DOCUMENT = "/v2/documents/:id";

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
  [`GET ${DOCUMENT}`]: "order",

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

/**
 * Whether the session reaches the path by this route. Whether a document is the order's is known where it is found.
 * @throws `not_found` where it does not
 */
export function requireReach(
  { orderId }: PortalCaller,
  { method, path: template }: RouteName,
  path: string,
): void {
  const reach = PORTAL_REACH[`${method} ${template}`];
  if (reach === undefined) throw notFound();
  if (orderId === null) return;
  const isOwn = template === DOCUMENT || orderIn(path) === orderId;
  if (reach !== "order" || !isOwn) throw notFound();
}

/** The id in a path of an order. */
function orderIn(path: string): string | undefined {
  return path.split("/")[3]?.toLowerCase();
}
