import type { Context } from "koa";

/** Says what a browser may do; true where the request is nothing but its question whether it may. */
export type Cors = (ctx: Context) => boolean;

const METHODS = "GET, HEAD, POST, PATCH, DELETE";
const REQUEST_HEADERS =
  "Authorization, X-API-Key, Content-Type, Idempotency-Key, Request-Id, Last-Event-ID";
const ANSWER_HEADERS =
  "Request-Id, Location, Link, Allow, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, ETag, Content-Disposition";
/** For how long a browser need not ask again, in seconds. */
const MAX_AGE = "600";

/**
 * Lets web pages of these origins call, of any with `*`; no origin at all switches it off. Keys go in headers, never in
 * cookies, so that a page can use only a key that it was given.
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
