import type { Context } from "koa";

/** Sets the CORS headers; returns true for a preflight request, which needs no further handling. */
export type Cors = (ctx: Context) => boolean;

const METHODS = "GET, HEAD, POST, PATCH, DELETE";
const REQUEST_HEADERS =
  "Authorization, X-API-Key, Content-Type, Idempotency-Key, Request-Id, Last-Event-ID";
const ANSWER_HEADERS =
  "Request-Id, Location, Link, Allow, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, ETag, Content-Disposition";
/** How long a browser may cache a preflight, in seconds. */
const MAX_AGE = "600";

/**
 * Allows calls from web pages of these origins, or of any with `*`; an empty list switches CORS off. Keys
 * are in headers, never in cookies, so a page can use only a key that it was given.
 */
export function createCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return () => false;
  const known = new Set(origins);
  const isAny = known.has("*");
  return (ctx) => {
    const { origin } = ctx.req.headers;
    if (!isAny) ctx.vary("Origin");
    if (origin === undefined || !(isAny || known.has(origin))) return false;
    ctx.set("Access-Control-Allow-Origin", isAny ? "*" : origin);
    if (!isPreflight(ctx)) {
      ctx.set("Access-Control-Expose-Headers", ANSWER_HEADERS);
      return false;
    }
    ctx.set("Access-Control-Allow-Methods", METHODS);
    ctx.set("Access-Control-Allow-Headers", REQUEST_HEADERS);
    ctx.set("Access-Control-Max-Age", MAX_AGE);
    return true;
  };
}

function isPreflight({ method, req }: Context): boolean {
  return method === "OPTIONS" && req.headers["access-control-request-method"] !== undefined;
}
