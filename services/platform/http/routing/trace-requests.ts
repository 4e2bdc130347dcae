import type { Context } from "koa";
import { runInSpan } from "../../tracing/current-span.ts";
import type { OpenSpan, Tracing } from "../../tracing/tracing.ts";
import type { Route } from "./route.ts";

/** A request that matches no route, in logs and metrics. */
export const UNMATCHED = "unmatched";

/** Serves a request; resolves to its route's pattern, or `UNMATCHED`. Never rejects. */
export type Serve = (ctx: Context) => Promise<string>;

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
