import type { Context } from "koa";
import { z } from "zod";
import {
  issueKey,
  isWellFormed,
  PORTAL_COOKIE,
  PORTAL_LINK,
} from "../../domain/account/rules/api-key.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findOrder } from "../../domain/order/store/read-order.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { notFound } from "../../platform/http/body/check-request.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { idText, listOf, timeText } from "../../platform/http/routing/answer-fields.ts";
import { csrfTokenOf } from "../../platform/http/routing/credentials.ts";
import { created, noContent, ok, type Reply } from "../../platform/http/routing/reply.ts";
import { routesFor } from "../../platform/http/routing/route.ts";
import { newId } from "../../platform/ids.ts";
import {
  byCustomer,
  DELETE,
  GET,
  POST,
  type AccountPrincipal,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { shownBranding, shownOf } from "./branding/routes.ts";
import { findBranding, type Branding } from "./branding/store.ts";
import {
  cookieExpiry,
  NO_PORTAL_COOKIE,
  portalCookie,
  readPortalCookie,
  refusalOf,
  requireOwnOrigin,
  requireOwnPage,
  type LinkRefusal,
} from "./portal-access.ts";
import {
  deleteCookie,
  endPortalSession,
  findCookieHolders,
  hasManyLinks,
  hasPortalSession,
  insertPortalSession,
  listPortalSessions,
  openSession,
  takeLink,
  type PresentedLink,
} from "./store.ts";

const portalSession = z.object({
  id: idText("The session's id"),
  order_id: idText("The only order that the link opens; null for the whole account").nullable(),
  created_at: timeText("When the link was made"),
  expires_at: timeText("When the link and what it opened end"),
  opened_at: timeText("When the link was first opened").nullable(),
  ended_at: timeText("When the session was ended before it expired").nullable(),
});

/** A portal session (docs/contract/customer-api.md, Portal). */
const portalSessionAnswer = portalSession.meta({
  id: "PortalSession",
  description: "A link into the customers' portal",
});

/** A new session with its link. */
const newPortalSessionAnswer = portalSession
  .extend({
    url: z.string().meta({
      description: "The link, shown once; a person opens it in a browser",
      examples: [`https://api.example.com/portal/open#nps_link_${"0".repeat(38)}`],
    }),
  })
  .meta({ id: "PortalSessionWithLink", description: "A new portal session, with its link" });

/** What the portal's page is shown of its session. */
export const openSessionAnswer = z
  .object({
    account_name: z
      .string()
      .nullable()
      .meta({ description: "The account's name; null by a link to an order", examples: [null] }),
    order_id: idText("The only order that is shown; null for the whole account").nullable(),
    branding: shownBranding.meta({ description: "What an end user is shown of the account" }),
    expires_at: timeText("When the cookie expires"),
    csrf: z.string().meta({
      description: "For the header `Portal-CSRF` of every command by this cookie",
      examples: ["47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"],
    }),
  })
  .meta({ id: "OpenPortalSession", description: "The session of a browser in the portal" });

export const SHORTEST_S = 60;
export const LONGEST_S = 30 * 86_400;

/** POST /v2/portal_sessions */
const newPortalSessionBody = z.strictObject({
  // Null is refused: a program's mistake must not make a link to everything.
  order_id: uuid()
    .optional()
    .describe("Limits the link to this order, for the customer's own end user"),
  expires_in: z
    .int()
    .min(SHORTEST_S)
    .max(LONGEST_S)
    .default(3_600)
    .meta({
      description: `Seconds until the link expires: ${SHORTEST_S} to ${LONGEST_S}, 3600 unless given`,
      examples: [86_400],
    }),
});

/** POST /portal/session */
const openSessionBody = z
  .strictObject({
    link: z
      .string()
      .max(64)
      .meta({
        description: "What stands behind `#` in the link",
        examples: [`nps_link_${"0".repeat(38)}`],
      }),
  })
  .meta({ examples: [{ link: `nps_link_${"0".repeat(38)}` }] });

type PortalDeps = Pick<ApiDeps, "bus" | "maxPortalLinks">;

const PATH = "/v2/portal_sessions";

/** `/v2/portal_sessions`: make a link (shown once), list, end. */
export function portalSessionRoutes(deps: PortalDeps): CustomerRoute[] {
  return [createRoute(deps), listRoute(), endRoute(deps)];
}

function createRoute({ bus: { clock }, maxPortalLinks: most }: PortalDeps): CustomerRoute {
  return POST(PATH, "Make a link into the customers' portal", {
    description:
      "A link to the account opens once. With `order_id` the link shows that order's requirements and letter alone, for the customer's own end user, until it expires or is ended. A session ends with the key that made it. The response is the only place where the link is shown.",
    answers: { 201: newPortalSessionAnswer },
    refuses: ["not_found", "quota_exceeded"],
    noStore: true,
    body: newPortalSessionBody,
    handle: async (request) => {
      const { db, principal, body, publicUrl, ctx } = request;
      const { accountId, keyId } = principal;
      const { order_id = null, expires_in: seconds } = body;
      if (order_id !== null) await findOrder(db, accountId, order_id);
      const at = clock.now();
      if (await hasManyLinks(db, accountId, { at, most })) {
        const detail = `An account has ${most} portal links at most that are neither expired nor ended.`;
        throw new AppError("quota_exceeded", `${detail} End some, or let them expire sooner.`);
      }
      const { key: link, hash: linkHash } = issueKey(PORTAL_LINK);
      const session = {
        ...{ id: newId(at), order_id, created_at: at },
        expires_at: new Date(at.getTime() + seconds * 1_000),
      };
      await inTransaction(db, async (tx) => {
        await insertPortalSession(tx, { ...session, accountId, keyId, linkHash });
        await writeAudit(tx, {
          ...byCustomer(request, at),
          action: "portal_session.created",
          portingOrderId: order_id,
          after: { portal_session_id: session.id, expires_at: session.expires_at },
        });
      });
      const shown = { ...session, opened_at: null, ended_at: null };
      const url = linkTo(link, { publicUrl, host: ctx.req.headers.host });
      return created({ ...shown, url }, `${PATH}/${session.id}`);
    },
  });
}

function listRoute(): CustomerRoute {
  return GET(PATH, "List the portal sessions", {
    description: "Sessions are kept for 30 days after they expired. Their links are not shown.",
    answers: { 200: listOf(portalSessionAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const { accountId } = request.principal;
      const range = await rangeFrom(query, (id) => hasPortalSession(db, accountId, id));
      return page(request, await listPortalSessions(db, { accountId, range }));
    },
  });
}

function endRoute({ bus: { clock } }: PortalDeps): CustomerRoute {
  const find = async ({ db, principal, params: { id } }: CustomerPath): Promise<void> => {
    if (!(await hasPortalSession(db, principal.accountId, id))) throw notFound();
  };
  return DELETE(`${PATH}/:id`, "End a portal session", {
    description: "At once, with every browser that its link opened; a second call is 204 too.",
    answers: { 204: null },
    find,
    handle: async (request) => {
      const { id } = request.params;
      const { accountId } = request.principal;
      const at = clock.now();
      await find(request);
      await inTransaction(request.db, async (tx) => {
        if (!(await endPortalSession(tx, accountId, { id, at }))) return;
        const after = { portal_session_id: id };
        await writeAudit(tx, { ...byCustomer(request, at), action: "portal_session.ended", after });
      });
      return noContent();
    },
  });
}

interface LinkBase {
  /** As configured; empty where the service does not know its own address. */
  readonly publicUrl: string;
  /** The host that the customer's request named. */
  readonly host: string | undefined;
}

/** The link's secret stands behind `#`, which no browser sends: it is in no log, and no mail scanner's GET uses it up. */
function linkTo(link: string, { publicUrl, host = "localhost" }: LinkBase): string {
  const base = publicUrl === "" ? `http://${host}` : publicUrl;
  return `${base}/portal/open#${link}`;
}

type PageDeps = Pick<ApiDeps, "bus" | "limitFailures" | "limitOpenings">;

const PAGE_PATH = "/portal/session";
const anyone = routesFor<AccountPrincipal, "public">("public");

/** What only the portal's own page asks for: whose its link is, to exchange it for a cookie, who it is, and to sign out. */
export function portalPageRoutes(deps: PageDeps): CustomerRoute[] {
  return [lookRoute(deps), openRoute(deps), readRoute(deps), signOutRoute()];
}

/** What the page of a link shows before it is opened. */
export const linkAnswer = z
  .object({
    order_id: idText("The only order that it opens; null for the whole account").nullable(),
    branding: shownBranding.meta({ description: "What an end user is shown of the account" }),
  })
  .meta({ id: "PortalLink", description: "Whose a portal link is" });

const OF_LINK = ["forbidden", "not_found", "invalid_state", "account_suspended"] as const;

function lookRoute({ bus: { clock }, limitFailures }: PageDeps): CustomerRoute {
  return anyone.POST(`${PAGE_PATH}/look`, "Look at a portal link", {
    operationId: "lookAtPortalLink",
    description:
      "For the page of a portal link, before a person opens it. It uses up nothing. Needs our own `Origin`.",
    answers: { 200: linkAnswer },
    refuses: [...OF_LINK, "rate_limited"],
    noStore: true,
    body: openSessionBody,
    handle: async ({ db, body: { link }, publicUrl, ctx }) => {
      requireOwnOrigin(ctx, publicUrl);
      const session = isWellFormed(PORTAL_LINK, link)
        ? await inTransaction(db, (tx) => takeLink(tx, link))
        : null;
      if (session === null) throw await unknownLink(limitFailures, ctx);
      const refusal = refusalOf(session, clock.now());
      if (refusal !== null) throw refused(refusal);
      const { order_id, account_id } = session;
      return ok({ order_id, branding: shownOf(await findBranding(db, account_id)) });
    },
  });
}

/** Counted like a wrong key. */
async function unknownLink(count: PageDeps["limitFailures"], { req }: Context): Promise<AppError> {
  await count(req.socket.remoteAddress ?? "");
  return new AppError("not_found", "There is no such link. Check that you have all of it.");
}

function openRoute({ bus: { clock }, ...limits }: PageDeps): CustomerRoute {
  return anyone.POST(PAGE_PATH, "Open a portal link", {
    operationId: "openPortalSession",
    description:
      "For the page of a portal link, which exchanges it for the cookie `__Host-portal` where a person asks for it. Needs our own `Origin`.",
    answers: { 200: openSessionAnswer },
    refuses: [...OF_LINK, "rate_limited"],
    noStore: true,
    body: openSessionBody,
    handle: async ({ db, body: { link }, requestId, publicUrl, ctx }) => {
      requireOwnOrigin(ctx, publicUrl);
      await limits.limitOpenings(ctx.req.socket.remoteAddress ?? "");
      const at = clock.now();
      const isPossible = isWellFormed(PORTAL_LINK, link);
      const opened =
        isPossible && (await inTransaction(db, (tx) => open(tx, { link, at, requestId })));
      if (opened !== false) return opened;
      throw await unknownLink(limits.limitFailures, ctx);
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
  const branding = await findBranding(tx, session.account_id);
  const opened = { ...session, branding, expires_at: expiresAt };
  return shown(cookie, opened, portalCookie(cookie, seconds));
}

const REFUSALS: Readonly<Record<Exclude<LinkRefusal, "suspended">, string>> = {
  ended: "This link was ended. Ask for a new one.",
  expired: "This link has expired. Ask for a new one.",
  used: "This link was used already; it opens once. Ask for a new one.",
};

/** Each by a code of its own, which the page shows in the person's language. */
function refused(refusal: LinkRefusal): AppError {
  if (refusal === "suspended") {
    return new AppError("account_suspended", "The account is suspended.");
  }
  const detail = REFUSALS[refusal];
  const faults = [{ pointer: "#/link", code: `link_${refusal}`, detail }];
  return new AppError("invalid_state", detail, { faults });
}

function readRoute({ bus: { clock } }: PageDeps): CustomerRoute {
  return anyone.GET(PAGE_PATH, "Read the browser's portal session", {
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
      return shown(cookie, { ...holder, branding: await findBranding(db, holder.account_id) });
    },
  });
}

function signOutRoute(): CustomerRoute {
  return anyone.DELETE(PAGE_PATH, "Sign out of the portal", {
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

interface Shown extends Pick<PresentedLink, "account_name" | "order_id" | "expires_at"> {
  readonly branding: Branding;
}

function shown(cookie: string, session: Shown, setCookie?: string): Reply {
  const { account_name: name, order_id, expires_at } = session;
  const branding = shownOf(session.branding);
  const account_name = order_id === null ? name : null;
  const body = { account_name, order_id, branding, expires_at, csrf: csrfTokenOf(cookie) };
  return setCookie === undefined
    ? { status: 200, body }
    : { status: 200, body, headers: { "Set-Cookie": setCookie } };
}
