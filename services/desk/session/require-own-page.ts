import type { Context } from "koa";
import { AppError } from "../../platform/errors.ts";
import { isCsrfToken, isOwnOrigin } from "../../platform/http/routing/credentials.ts";

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** An operator's session, as a request by its cookie has it. */
export interface OwnSession {
  readonly id: string;
  /** What the header `Desk-CSRF` must hold. */
  readonly csrf: string;
}

/**
 * A browser sends the cookie whoever's page asks, so that a request that changes something must show that it comes from
 * the console.
 * @throws `forbidden` without the desk's own `Origin` and the session's `Desk-CSRF`
 */
export function requireOwnPage(ctx: Context, session: OwnSession, publicUrl: string): void {
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
