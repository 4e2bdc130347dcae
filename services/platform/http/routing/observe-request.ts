import type { Context } from "koa";
import { randomUUID } from "node:crypto";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { runInSpan, type OpenSpan, type Tracing } from "../../tracing/tracing.ts";
import type { Route } from "./route.ts";

const OWN_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** The client's own `Request-Id` if it is valid, else a new one. */
export function readRequestId(sent: string | string[] | undefined): string {
  return typeof sent === "string" && OWN_ID.test(sent) ? sent : randomUUID();
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is logged about a finished request. Never the path itself, which may contain a phone number. */
interface Outcome {
  readonly method: string;
  /** The route's pattern, or `unmatched`. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly requestId: string;
  readonly quiet: boolean;
  /** Who called, such as `{account_id}`. */
  readonly caller: Readonly<Record<string, string>>;
  /** Of the request; empty without one. */
  readonly traceparent: string;
}

/** Counts, times and logs each finished request once. */
export function createRequestObserver(options: {
  readonly log: Logger;
  readonly metrics: Metrics;
}): (outcome: Outcome) => void {
  const { log, metrics } = options;
  const total = metrics.counter({
    name: "http_requests_total",
    help: "HTTP requests served",
    labels: ["route", "method", "status"],
  });
  const seconds = metrics.tracedHistogram({
    name: "http_request_seconds",
    help: "Time to serve an HTTP request",
    labels: ["route", "method"],
    buckets: SECONDS,
  });
  return ({ method, route, status, ms, requestId, quiet, caller, traceparent }) => {
    total.inc({ route, method, status });
    seconds.observe({ route, method }, ms / 1_000, traceparent);
    const fields = {
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      request_id: requestId,
      ...caller,
    };
    if (quiet) log.debug(fields, "request");
    else log.info(fields, "request");
  };
}

/** A request that matches no route, in logs and metrics. */
export const UNMATCHED = "unmatched";

/** Serves a request; resolves to its route's pattern, or `UNMATCHED`. Never rejects. */
type Serve = (ctx: Context) => Promise<string>;

const METHODS: ReadonlySet<string> = new Set([
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"],
]);

type Quiet = Pick<Route<unknown>, "path" | "quiet">;

/**
 * Serves each request in a span that continues the client's `traceparent`. It is named after the route: a path may hold a
 * phone number, and a query anything. Probes of health and metrics have none. Without tracing nothing is added.
 */
export function traceRequests(
  tracing: Tracing | null | undefined,
  routes: readonly Quiet[],
  serve: Serve,
): Serve {
  if (tracing == null) return serve;
  const quiet = new Set(routes.filter((route) => route.quiet).map(({ path }) => path));
  return async (ctx) => {
    const [path = ""] = (ctx.req.url ?? "").split("?", 1);
    if (quiet.has(path)) return serve(ctx);
    const method = METHODS.has(ctx.method) ? ctx.method : "_OTHER";
    const span = startRequestSpan(tracing, ctx, method);
    try {
      const route = await runInSpan(span, () => serve(ctx));
      if (route !== UNMATCHED) {
        span.rename(`${method} ${route}`);
        span.set({ "http.route": route });
      }
      return route;
    } finally {
      const { status } = ctx;
      span.set({ "http.response.status_code": status });
      span.end(status >= 500 ? String(status) : undefined);
    }
  };
}

function startRequestSpan(tracing: Tracing, { req }: Context, method: string): OpenSpan {
  const { traceparent } = req.headers;
  return tracing.start(method, {
    kind: "server",
    parent: typeof traceparent === "string" ? traceparent : undefined,
    attributes: { "http.request.method": method },
  });
}

/** A route's kind of resource: `porting_orders` of `/v2/porting_orders/:id/comments`, `reviews` of `/desk/v1/reviews`. */
export function resourceOf(path: string): string {
  const [, api = "", ...segments] = path.split("/");
  return (api === "desk" ? segments[1] : segments[0]) ?? api;
}
