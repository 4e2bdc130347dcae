import type { Context } from "koa";
import { DESK_SESSION } from "../../domain/account/rules/api-key.ts";
import { readCredential } from "../../platform/http/routing/credentials.ts";
import { SESSION_COOKIE } from "../session/rules/session-cookie.ts";

/**
 * The token of a request's headers, or, where these hold none, the session of its cookie. Each counts in its own place
 * alone, so that no session passes for a token, which needs no `Desk-CSRF`.
 */
export function readOperatorCredential(ctx: Context): string | null {
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
