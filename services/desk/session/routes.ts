import type { Context } from "koa";
import { z } from "zod";
import { DESK_TOKEN, isWellFormed } from "../../domain/account/rules/api-key.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findTokenHolder, type TokenHolder } from "../../domain/account/store/operators.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { inTransaction, type Database, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { timeText } from "../../platform/http/routing/answer-fields.ts";
import { csrfTokenOf } from "../../platform/http/routing/credentials.ts";
import { created, noContent, ok } from "../../platform/http/routing/reply.ts";
import { routesFor } from "../../platform/http/routing/route.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic } from "../../platform/periodic.ts";
import { startRateLimits, type RateLimits } from "../../platform/rate-limit/start-rate-limits.ts";
import {
  NO_SESSION_COOKIE,
  readSession,
  requireOwnOrigin,
  sessionCookie,
} from "../access/desk-access.ts";
import {
  byOperator,
  viewer,
  type DeskRoute,
  type OperatorPrincipal,
} from "../access/desk-routes.ts";
import { meAnswer, signedInAnswer } from "../operators/answers.ts";
import { endSession, findSessionHolder, forgetSessions, openSession } from "./store.ts";

const sessionBody = z.strictObject({
  token: z
    .string()
    .min(1)
    .max(256)
    .meta({
      description: "The operator's token",
      examples: [`nps_desk_${"0".repeat(38)}`],
    }),
});

/** A session that begins (docs/contract/desk-api.md, POST /session {token}). */
const sessionAnswer = z
  .object({
    operator: signedInAnswer,
    expires_at: timeText(
      "When it ends at the latest; after an hour without a request it ends earlier",
    ),
    csrf: meAnswer.shape.csrf.unwrap().meta({
      description: "What the header `Desk-CSRF` of a POST, PATCH or DELETE must hold",
      examples: ["b3JhbmdlcyBhcmUgbm90IHRoZSBvbmx5IGZydWl0"],
    }),
  })
  .meta({ id: "Session", description: "A session that was just opened" });

const PATH = "/desk/v1/session";
const { POST } = routesFor<OperatorPrincipal, "public">("public");

export interface SessionDeps {
  readonly bus: Pick<RouteBus, "clock">;
  readonly sessions: Pick<Sessions, "failures">;
}

interface SessionContext extends SessionDeps {
  readonly db: Database;
}

/** `/desk/v1/session` and `/desk/v1/me`: sign in by a token, who is signed in, sign out. */
export function sessionRoutes(deps: SessionDeps): DeskRoute[] {
  return [signInRoute(deps), signOutRoute(deps), meRoute()];
}

function signInRoute(deps: SessionDeps): DeskRoute {
  return POST(PATH, "Sign in", {
    description: `Opens a session of the operator of the token and sets the cookie \`__Host-desk\`. A POST, PATCH or DELETE \
with the cookie needs the header \`Desk-CSRF\` and, as browsers send it, the desk's own \`Origin\`.`,
    answers: { 201: sessionAnswer },
    refuses: ["unauthorized", "forbidden", "rate_limited", "unavailable"],
    noStore: true,
    body: sessionBody,
    handle: async ({ db, body, ctx, publicUrl, requestId }) => {
      const { origin } = ctx.req.headers;
      if (origin !== undefined) requireOwnOrigin(ctx, origin, publicUrl);
      const holder = await requireHolder({ ...deps, db }, body.token, ctx);
      const { session, expiresAt } = await signIn({ ...deps, db }, holder, { requestId, ctx });
      const { id, name, role } = holder;
      const reply = created(
        { operator: { id, name, role }, expires_at: expiresAt, csrf: csrfTokenOf(session) },
        PATH,
      );
      return { ...reply, headers: { ...reply.headers, ...sessionCookie(session) } };
    },
  });
}

/** @throws `unauthorized`, or `rate_limited` after too many failures of the address */
async function requireHolder(
  { db, sessions }: SessionContext,
  token: string,
  ctx: Context,
): Promise<TokenHolder> {
  const holder = isWellFormed(DESK_TOKEN, token) ? await findTokenHolder(db, token) : null;
  if (holder !== null) return holder;
  await sessions.failures.refused(ctx.req.socket.remoteAddress ?? "");
  throw new AppError("unauthorized", "No valid token.");
}

/** A new session, whatever cookie there was; the one that the cookie held ends. */
async function signIn(
  { db, bus }: SessionContext,
  holder: TokenHolder,
  { requestId, ctx }: { readonly requestId: string; readonly ctx: Context },
) {
  const at = bus.clock.now();
  const earlier = readSession(ctx);
  return inTransaction(db, async (tx) => {
    const ended = earlier === null ? null : await findSessionHolder(tx, earlier, at);
    if (ended !== null) await endSession(tx, ended.session_id);
    const opened = await openSession(tx, holder.token_id, at);
    await writeAudit(tx, {
      ...{ at, requestId, operator: { id: holder.id, name: holder.name } },
      action: "session.signed_in",
      before: ended === null ? null : { session_id: ended.session_id },
      after: { session_id: opened.id, token_id: holder.token_id, expires_at: opened.expiresAt },
    });
    return opened;
  });
}

function signOutRoute({ bus }: SessionDeps): DeskRoute {
  return viewer.DELETE(PATH, "Sign out", {
    description: "Ends the session of the cookie; a token stays valid.",
    answers: { 204: null },
    handle: async (request) => {
      const { session, tokenId } = request.principal;
      if (session !== null) {
        await inTransaction(request.db, async (tx) => {
          await endSession(tx, session.id);
          await writeAudit(tx, {
            ...byOperator(request, bus.clock.now()),
            action: "session.signed_out",
            before: { session_id: session.id, token_id: tokenId },
          });
        });
      }
      return { ...noContent(), headers: NO_SESSION_COOKIE };
    },
  });
}

function meRoute(): DeskRoute {
  return viewer.GET("/desk/v1/me", "Read the operator of the token or session", {
    description: "For a session with its `csrf`, which a page needs after it was loaded again.",
    answers: { 200: meAnswer },
    noStore: true,
    handle: ({ principal: { operatorId: id, name, role, session } }) =>
      ok({ id, name, role, ...(session === null ? {} : { csrf: session.csrf }) }),
  });
}

const FORGET_EVERY_MS = 600_000;
const FORGET_BATCH = 1_000;
/** Failures to sign in, of an address (docs/contract/desk-api.md, POST /session {token}). */
const FAILURES_PER_MINUTE = 10;

interface Sessions {
  /** Counts a failure to sign in. @throws `rate_limited` in place of the 401 */
  readonly failures: Pick<RateLimits, "refused">;
  stop(): Promise<void>;
}

interface Options {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What sessions need beside requests: the limit of failures, and the deletion of those that have ended. */
export function startSessions({ db, clock, log }: Options): Sessions {
  const failures = startRateLimits({
    ...{ db, clock, log },
    requests: { perMinute: 0, burst: 0 },
    failuresPerMinute: FAILURES_PER_MINUTE,
    failuresAt: "desk-address",
  });
  const forgetting = startPeriodic({
    name: "ended sessions",
    everyMs: FORGET_EVERY_MS,
    run: async () => {
      while ((await forgetSessions(db, clock.now(), FORGET_BATCH)) === FORGET_BATCH);
    },
    log,
  });
  return {
    failures,
    stop: async () => {
      await Promise.all([failures.stop(), forgetting.stop()]);
    },
  };
}
