import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "koa";
import { isWellFormed, PORTAL_COOKIE } from "../../domain/account/rules/api-key.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { gatherCalls } from "../../platform/gather-calls.ts";
import { notFound } from "../../platform/http/body/check-request.ts";
import {
  csrfTokenOf,
  isCsrfToken,
  isOwnOrigin,
  readCredential,
} from "../../platform/http/routing/credentials.ts";
import type { AccountPrincipal, CustomerRoute, PortalCaller } from "../access/customer-routes.ts";
import {
  findCookieHolders,
  type CookieHolder,
  type PortalSession,
  type PresentedLink,
} from "./store.ts";

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
  [`GET ${ORDERS}/:id/allowed_foc_windows`]: "account",
  [`POST ${ORDERS}/:id/changes`]: "account",
  [`GET ${ORDERS}/:id/changes`]: "account",
  [`GET ${ORDERS}/:id/changes/:change_id`]: "account",
  [`POST ${ORDERS}/:id/changes/:change_id/withdraw`]: "account",
  "POST /v2/porting_batches/:batch_id/submit": "account",
  "POST /v2/porting_batches/:batch_id/cancel": "account",
  "POST /v2/porting_batches/:batch_id/requirements": "account",
  "POST /v2/documents": "account",
  "POST /v2/requirement_groups": "account",
  "GET /v2/requirement_groups": "account",
  "GET /v2/requirement_groups/:id": "account",
  "PATCH /v2/requirement_groups/:id": "account",
  "DELETE /v2/requirement_groups/:id": "account",
  "GET /v2/porting_requirements": "account",
  "GET /v2/porting_exceptions": "account",
  "POST /v2/portability_checks": "account",
  "GET /v2/numbers": "account",
  "GET /v2/numbers/:phone_number": "account",
  "PATCH /v2/numbers/:phone_number": "account",
  "GET /v2/number_defaults": "account",
  "PATCH /v2/number_defaults": "account",
  "GET /v2/port_outs": "account",
  "GET /v2/port_outs/:id": "account",
  "GET /v2/port_outs/:id/rejection_codes": "account",
  "GET /v2/port_outs/:id/comments": "account",
  "POST /v2/port_outs/:id/comments": "account",
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
  "GET /v2/portal_branding": "account",
  "PATCH /v2/portal_branding": "account",
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

/** The prefix makes browsers refuse it without `Secure`, with a domain, or for less than every path. */
const NAME = "__Host-portal";
const SCOPE = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** The credential of a request: a key in a header, else the portal's cookie; never a cookie's value in a header. */
export function readApiCredential({ req }: Pick<Context, "req">): string | null {
  const { authorization, "x-api-key": apiKey } = req.headers;
  if (authorization === undefined && apiKey === undefined) return readPortalCookie(req.headers);
  const key = readCredential(req);
  return key === null || key.startsWith(PORTAL_COOKIE) ? null : key;
}

/** The portal's cookie of a request; null where it has none, or one that cannot be ours. */
export function readPortalCookie({ cookie = "" }: IncomingHttpHeaders): string | null {
  const values = cookie
    .split(/; */)
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1));
  const [value] = values;
  return value !== undefined && values.length === 1 && isWellFormed(PORTAL_COOKIE, value)
    ? value
    : null;
}

/** `Set-Cookie` for a browser that exchanged its link. */
export function portalCookie(value: string, seconds: number): string {
  return `${NAME}=${value}; ${SCOPE}; Max-Age=${seconds}`;
}

export const NO_PORTAL_COOKIE = `${NAME}=; ${SCOPE}; Max-Age=0`;

const MAX_COOKIES = 100;

/** Finds who a cookie stands for; null if it is not valid. */
export type FindCookieHolder = (cookie: string) => Promise<CookieHolder | null>;

/** Concurrent requests share a look-up that starts after all of them arrived, so the end of a session counts at once. */
export function createCookieLookup(db: Queryable, clock: Clock): FindCookieHolder {
  return gatherCalls({
    run: async (cookies: readonly string[]) => {
      const holders = await findCookieHolders(db, cookies, clock.now());
      return (cookie) => holders.get(cookie) ?? null;
    },
    most: MAX_COOKIES,
  });
}

export function isPortalCookie(credential: string | null): credential is string {
  return credential !== null && isWellFormed(PORTAL_COOKIE, credential);
}

/** The account that a cookie stands for; null for a cookie that is not valid, or no longer. */
export async function authenticatePortal(
  findCookieHolder: FindCookieHolder,
  cookie: string,
): Promise<AccountPrincipal | null> {
  const holder = await findCookieHolder(cookie);
  if (holder === null) return null;
  return {
    accountId: holder.account_id,
    keyId: holder.api_key_id,
    suspended: holder.is_suspended,
    portal: { sessionId: holder.session_id, orderId: holder.order_id },
  };
}

/**
 * A browser sends the cookie whoever's page asks, so that a command must show that it comes from the portal's own.
 * @throws `forbidden` without our own `Origin` and the session's `Portal-CSRF`
 */
export function requireOwnPage(ctx: Context, publicUrl = ""): void {
  requireOwnOrigin(ctx, publicUrl);
  const cookie = readPortalCookie(ctx.req.headers);
  const isProven =
    cookie === null || isCsrfToken(ctx.req.headers["portal-csrf"], csrfTokenOf(cookie));
  if (!isProven) {
    const detail = "The header Portal-CSRF is missing or not this session's.";
    throw new AppError("forbidden", detail);
  }
}

/** @throws `forbidden` without our own `Origin` */
export function requireOwnOrigin({ req }: Context, publicUrl = ""): void {
  const { origin, host } = req.headers;
  if (origin !== undefined && isOwnOrigin(origin, { publicUrl, host })) return;
  throw new AppError(
    "forbidden",
    "The Origin is not the portal's own. Behind a proxy, PUBLIC_API_URL must name the address that browsers use.",
  );
}

const MAX_COOKIE_MS = 12 * 3_600_000;

export type LinkRefusal = "suspended" | "ended" | "expired" | "used";

/** Why a link opens nothing; null where it does. A link to the account opens once, a link to an order again and again. */
export function refusalOf(link: PresentedLink, now: Date): LinkRefusal | null {
  if (link.is_suspended) return "suspended";
  if (link.ended_at !== null || link.is_key_revoked) return "ended";
  if (link.expires_at <= now) return "expired";
  return link.order_id === null && link.opened_at !== null ? "used" : null;
}

/** A cookie lasts 12 hours, and never longer than its session. */
export function cookieExpiry({ expires_at }: PortalSession, now: Date): Date {
  return new Date(Math.min(now.getTime() + MAX_COOKIE_MS, expires_at.getTime()));
}
