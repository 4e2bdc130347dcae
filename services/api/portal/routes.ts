import { z } from "zod";
import { issueKey, PORTAL_LINK } from "../../domain/account/rules/api-key.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findOrder } from "../../domain/order/store/read-order.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { notFound } from "../../platform/http/body/check-request.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, noContent } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import { byCustomer } from "../access/by-customer.ts";
import {
  DELETE,
  GET,
  POST,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { newPortalSessionAnswer, portalSessionAnswer } from "./answers.ts";
import { newPortalSessionBody } from "./body.ts";
import {
  endPortalSession,
  hasManyLinks,
  hasPortalSession,
  insertPortalSession,
  listPortalSessions,
} from "./store/portal-sessions.ts";

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
