import type { Context } from "koa";
import { DESK_SESSION, DESK_TOKEN, isWellFormed } from "../../domain/account/rules/api-key.ts";
import { includesRole, OPERATOR_ROLES } from "../../domain/account/rules/operator-role.ts";
import { findTokenHolder, type TokenHolder } from "../../domain/account/store/operators.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import {
  csrfTokenOf,
  isCsrfToken,
  isOwnOrigin,
  readCredential,
} from "../../platform/http/routing/credentials.ts";
import type { HttpAppOptions } from "../../platform/http/routing/http-app-options.ts";
import { findSessionHolder, noteSessionUse } from "../session/store.ts";
import type { DeskRoute, OperatorPrincipal, OwnSession } from "./desk-routes.ts";

/** The prefix makes browsers keep it for this host alone, and take it over TLS or from loopback alone. */
export const SESSION_COOKIE = "__Host-desk";

const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** It has no end of its own: the server ends the session, and browsers forget it when they close. */
export function sessionCookie(session: string): Readonly<Record<string, string>> {
  return { "Set-Cookie": `${SESSION_COOKIE}=${session}; ${ATTRIBUTES}` };
}

export const NO_SESSION_COOKIE: Readonly<Record<string, string>> = {
  "Set-Cookie": `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`,
};

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * A browser sends the cookie whoever's page asks, so that a request that changes something must show that it comes from
 * the console.
 * @throws `forbidden` without the desk's own `Origin` and the session's `Desk-CSRF`
 */
function requireOwnPage(ctx: Context, session: OwnSession, publicUrl: string): void {
  if (SAFE.has(ctx.method)) return;
  const { origin } = ctx.req.headers;
  if (origin === undefined) {
    throw forbidden("A request by cookie that changes something needs the header Origin.");
  }
  requireOwnOrigin(ctx, origin, publicUrl);
  if (isCsrfToken(ctx.req.headers["desk-csrf"], session.csrf)) return;
  throw forbidden("The header Desk-CSRF is missing or not this session's; GET /desk/v1/me has it.");
}

/** @throws `forbidden` for the `Origin` of a page elsewhere */
export function requireOwnOrigin(ctx: Context, origin: string, publicUrl: string): void {
  if (isOwnOrigin(origin, { publicUrl, host: ctx.req.headers.host })) return;
  throw forbidden(
    "The Origin is not the desk's own. Behind a proxy, PUBLIC_DESK_URL must name the address that browsers use.",
  );
}

function forbidden(detail: string): AppError {
  return new AppError("forbidden", detail);
}

type DeskAccess = Pick<
  HttpAppOptions<OperatorPrincipal>,
  "readCredential" | "authenticate" | "authorize" | "describe" | "publicUrl"
>;

interface DeskAccessDeps extends AuthenticationDeps {
  readonly publicUrl: string | undefined;
}

/** Decides who may call the desk: 401 without a valid token or session, 403 for a foreign page or too low a role. */
export function deskAccess({ publicUrl, ...deps }: DeskAccessDeps): DeskAccess {
  return {
    publicUrl,
    readCredential: readOperatorCredential,
    authenticate: (credential) => authenticateOperator(deps, credential),
    authorize: (operator, route, ctx) => {
      if (operator.session !== null) requireOwnPage(ctx, operator.session, publicUrl ?? "");
      requireRole(operator, route);
    },
    describe: (operator) => ({ operator_id: operator.operatorId }),
  };
}

/** @throws `forbidden` where the operator's role does not include the one that the route needs */
function requireRole({ role }: OperatorPrincipal, route: DeskRoute | null): void {
  const least = OPERATOR_ROLES.find((one) => one === route?.role);
  if (least === undefined || includesRole(role, least)) return;
  throw new AppError("forbidden", `This needs the role ${least}; yours is ${role}.`);
}

/**
 * The token of a request's headers, or, where these hold none, the session of its cookie. Each counts in its own place
 * alone, so that no session passes for a token, which needs no `Desk-CSRF`.
 */
function readOperatorCredential(ctx: Context): string | null {
  const { authorization, "x-api-key": apiKey } = ctx.req.headers;
  if (authorization === undefined && apiKey === undefined) return readSession(ctx);
  const token = readCredential(ctx.req);
  return token === null || token.startsWith(DESK_SESSION) ? null : token;
}

/** The session of the cookie, well-formed or not. */
export function readSession(ctx: Context): string | null {
  const session = ctx.cookies.get(SESSION_COOKIE);
  return session?.startsWith(DESK_SESSION) === true ? session : null;
}

interface AuthenticationDeps {
  readonly pool: Queryable;
  readonly clock: Clock;
}

/**
 * The operator of a token or of a session, by one query and without a cache; null for any that is not valid, whatever
 * the reason.
 */
async function authenticateOperator(
  { pool, clock }: AuthenticationDeps,
  credential: string | null,
): Promise<OperatorPrincipal | null> {
  if (credential === null) return null;
  if (isWellFormed(DESK_TOKEN, credential)) {
    const holder = await findTokenHolder(pool, credential);
    return holder === null ? null : principalOf(holder, null);
  }
  if (!isWellFormed(DESK_SESSION, credential)) return null;
  const now = clock.now();
  const holder = await findSessionHolder(pool, credential, now);
  if (holder === null) return null;
  await noteSessionUse(pool, holder, now);
  return principalOf(holder, { id: holder.session_id, csrf: csrfTokenOf(credential) });
}

function principalOf(
  { id: operatorId, name, role, token_id: tokenId }: TokenHolder,
  session: OwnSession | null,
): OperatorPrincipal {
  return { operatorId, name, role, tokenId, session };
}

/**
 * The id of the operator whose request continues, by the token or session that it came with; null once that is no longer
 * valid. It is not a use of the session, which would never become idle under an open stream.
 */
export async function readmitOperator(
  { pool, clock }: AuthenticationDeps,
  ctx: Context,
): Promise<string | null> {
  const credential = readOperatorCredential(ctx);
  if (credential === null) return null;
  if (isWellFormed(DESK_TOKEN, credential)) {
    return (await findTokenHolder(pool, credential))?.id ?? null;
  }
  if (!isWellFormed(DESK_SESSION, credential)) return null;
  return (await findSessionHolder(pool, credential, clock.now()))?.id ?? null;
}
