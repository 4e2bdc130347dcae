import {
  isWellFormed,
  issueKey,
  PORTAL_COOKIE,
  PORTAL_LINK,
} from "../../domain/account/rules/api-key.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { csrfTokenOf } from "../../platform/http/routing/credentials.ts";
import type { Reply } from "../../platform/http/routing/reply.ts";
import { routesFor } from "../../platform/http/routing/route.ts";
import type { CustomerRoute } from "../access/customer-routes.ts";
import type { AccountPrincipal } from "../access/principal.ts";
import type { ApiDeps } from "../api-deps.ts";
import { openSessionAnswer } from "./answers.ts";
import { openSessionBody } from "./body.ts";
import { NO_PORTAL_COOKIE, portalCookie, readPortalCookie } from "./portal-cookie.ts";
import { cookieExpiry, refusalOf, type LinkRefusal, type PresentedLink } from "./portal-session.ts";
import { requireOwnOrigin, requireOwnPage } from "./require-own-page.ts";
import { deleteCookie, findCookieHolders, openSession, takeLink } from "./store/portal-cookies.ts";

type PageDeps = Pick<ApiDeps, "bus" | "limitFailures" | "limitOpenings">;

const PATH = "/portal/session";
const { GET, POST, DELETE } = routesFor<AccountPrincipal, "public">("public");

/** What only the portal's own page asks for: to exchange its link for a cookie, who it is, and to sign out. */
export function portalPageRoutes(deps: PageDeps): CustomerRoute[] {
  return [openRoute(deps), readRoute(deps), signOutRoute()];
}

function openRoute({ bus: { clock }, ...limits }: PageDeps): CustomerRoute {
  return POST(PATH, "Open a portal link", {
    operationId: "openPortalSession",
    description:
      "For the page of a portal link, which exchanges it for the cookie `__Host-portal` where a person asks for it. Needs our own `Origin`.",
    answers: { 200: openSessionAnswer },
    refuses: ["forbidden", "not_found", "invalid_state", "account_suspended", "rate_limited"],
    noStore: true,
    body: openSessionBody,
    handle: async ({ db, body: { link }, requestId, publicUrl, ctx }) => {
      requireOwnOrigin(ctx, publicUrl);
      const address = ctx.req.socket.remoteAddress ?? "";
      await limits.limitOpenings(address);
      const at = clock.now();
      const isPossible = isWellFormed(PORTAL_LINK, link);
      const opened =
        isPossible && (await inTransaction(db, (tx) => open(tx, { link, at, requestId })));
      if (opened !== false) return opened;
      await limits.limitFailures(address);
      throw new AppError("not_found", "There is no such link. Check that you have all of it.");
    },
  });
}

interface Opening {
  readonly link: string;
  readonly at: Date;
  readonly requestId: string;
}

/** False for a link that is none of ours. */
async function open(tx: Queryable, { link, at, requestId }: Opening): Promise<Reply | false> {
  const session = await takeLink(tx, link);
  if (session === null) return false;
  const refusal = refusalOf(session, at);
  if (refusal !== null) throw refused(refusal);
  const { key: cookie, hash } = issueKey(PORTAL_COOKIE);
  const expiresAt = cookieExpiry(session, at);
  await openSession(tx, { sessionId: session.id, hash, at, expiresAt });
  await writeAudit(tx, {
    ...{ at, requestId, action: "portal_session.opened", accountId: session.account_id },
    ...{ apiKeyId: session.api_key_id, isByPortal: true, portingOrderId: session.order_id },
    after: { portal_session_id: session.id },
  });
  const seconds = Math.floor((expiresAt.getTime() - at.getTime()) / 1_000);
  return shown(cookie, { ...session, expires_at: expiresAt }, portalCookie(cookie, seconds));
}

const REFUSALS: Readonly<Record<LinkRefusal, () => AppError>> = {
  suspended: () => new AppError("account_suspended", "The account is suspended."),
  ended: () => new AppError("invalid_state", "This link was ended. Ask for a new one."),
  expired: () => new AppError("invalid_state", "This link has expired. Ask for a new one."),
  used: () =>
    new AppError("invalid_state", "This link was used already; it opens once. Ask for a new one."),
};

function refused(refusal: LinkRefusal): AppError {
  return REFUSALS[refusal]();
}

function readRoute({ bus: { clock } }: PageDeps): CustomerRoute {
  return GET(PATH, "Read the browser's portal session", {
    operationId: "getOpenPortalSession",
    description: "For the portal's page, by its cookie.",
    answers: { 200: openSessionAnswer },
    refuses: ["unauthorized", "account_suspended"],
    noStore: true,
    handle: async ({ db, ctx }) => {
      const cookie = readPortalCookie(ctx.req.headers);
      const holders = cookie === null ? null : await findCookieHolders(db, [cookie], clock.now());
      const holder = holders?.get(cookie ?? "");
      if (cookie === null || holder === undefined) {
        throw new AppError("unauthorized", "The session has ended.");
      }
      if (holder.is_suspended) throw refused("suspended");
      return shown(cookie, holder);
    },
  });
}

function signOutRoute(): CustomerRoute {
  return DELETE(PATH, "Sign out of the portal", {
    operationId: "closePortalSession",
    description: "For the portal's page: ends this browser's session, not the link.",
    answers: { 204: null },
    refuses: ["forbidden"],
    handle: async ({ db, ctx, publicUrl }) => {
      requireOwnPage(ctx, publicUrl);
      const cookie = readPortalCookie(ctx.req.headers);
      if (cookie !== null) await deleteCookie(db, cookie);
      return { status: 204, headers: { "Set-Cookie": NO_PORTAL_COOKIE } };
    },
  });
}

type Shown = Pick<PresentedLink, "account_name" | "order_id" | "expires_at">;

function shown(cookie: string, session: Shown, setCookie?: string): Reply {
  const { account_name: name, order_id, expires_at } = session;
  const account_name = order_id === null ? name : null;
  const body = { account_name, order_id, expires_at, csrf: csrfTokenOf(cookie) };
  return setCookie === undefined
    ? { status: 200, body }
    : { status: 200, body, headers: { "Set-Cookie": setCookie } };
}
