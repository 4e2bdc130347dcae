import { z } from "zod";
import { notReady, type Readiness } from "../../health.ts";
import { prefersOpenMetrics, type Metrics, type MetricsPage } from "../../metrics.ts";
import { ok } from "./reply.ts";
import { routesFor, type Route } from "./route.ts";

export interface HealthOptions {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** False: `/metrics` is served elsewhere. Default: true. */
  readonly servesMetrics?: boolean;
}

function statusAnswer(status: string, id: string) {
  return z
    .object({ status: z.literal(status).meta({ description: "The only value of a 200" }) })
    .meta({ id, description: "The state of the service" });
}

/** A page takes milliseconds of the process's only thread: whoever asks at the same time gets the same. */
const SHARED_MS = 250;

function sharedPages(metrics: Metrics): Metrics["page"] {
  const pages = new Map<boolean, { readonly at: number; readonly page: Promise<MetricsPage> }>();
  return (accept) => {
    const kind = prefersOpenMetrics(accept);
    const now = performance.now();
    const known = pages.get(kind);
    if (known !== undefined && now - known.at < SHARED_MS) return known.page;
    const page = metrics.page(accept);
    pages.set(kind, { at: now, page });
    page.catch(() => pages.delete(kind));
    return page;
  };
}

/** `/healthz`, `/readyz` and, unless it is served elsewhere, `/metrics`; they need no key. */
export function healthRoutes<P>({
  readiness,
  metrics,
  servesMetrics = true,
}: HealthOptions): Route<P>[] {
  const probe = { produces: "*/*", quiet: true } as const;
  const { GET } = routesFor<P, "public">("public");
  const shared = sharedPages(metrics);
  const ofMetrics = GET("/metrics", "Get the metrics for Prometheus", {
    ...probe,
    operationId: "getMetrics",
    description:
      "Counters, gauges and histograms of this process in Prometheus' text format, or in the OpenMetrics format for who prefers it.",
    answers: { 200: { mediaTypes: ["text/plain", "application/openmetrics-text"] } },
    handle: async ({ ctx }) => {
      const { type, text } = await shared(ctx.req.headers.accept);
      return { status: 200, raw: { type, content: text } };
    },
  });
  return [
    GET("/healthz", "Check whether the process is alive", {
      ...probe,
      operationId: "getLiveness",
      description: "Answers as soon as the process accepts requests; it asks no dependency.",
      answers: { 200: statusAnswer("alive", "Liveness") },
      handle: () => ok({ status: "alive" }),
    }),
    GET("/readyz", "Check whether all dependencies are reachable", {
      ...probe,
      operationId: "getReadiness",
      description: "503 names the dependencies, such as the database, that are not reachable.",
      answers: { 200: statusAnswer("ready", "ServiceReadiness") },
      refuses: ["unavailable"],
      handle: async () => {
        const unreachable = await readiness();
        if (unreachable.length > 0) throw notReady(unreachable);
        return ok({ status: "ready" });
      },
    }),
    ...(servesMetrics ? [ofMetrics] : []),
  ];
}
