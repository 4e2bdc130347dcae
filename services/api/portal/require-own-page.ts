import type { Context } from "koa";
import { AppError } from "../../platform/errors.ts";
import { csrfTokenOf, isCsrfToken, isOwnOrigin } from "../../platform/http/routing/credentials.ts";
import { readPortalCookie } from "./portal-cookie.ts";

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
