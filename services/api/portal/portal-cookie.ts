import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "koa";
import { isWellFormed, PORTAL_COOKIE } from "../../domain/account/rules/api-key.ts";
import { readCredential } from "../../platform/http/routing/credentials.ts";

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
