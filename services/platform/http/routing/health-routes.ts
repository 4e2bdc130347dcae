import { z } from "zod";

import { notReady, type Readiness } from "../../health.ts";
import type { Metrics } from "../../metrics.ts";
import { ok } from "./reply.ts";
import { routesFor, type Route } from "./route.ts";

export interface HealthOptions {
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

/** `/healthz`, `/readyz` and `/metrics`, which need no key. */
export function healthRoutes<P>({ readiness, metrics }: HealthOptions): Route<P>[] {
  const probe = { produces: "*/*", quiet: true } as const;
  const { GET } = routesFor<P, "public">("public");
  return [
    GET("/healthz", "Check whether the process is alive", {
      ...probe,
      answers: { 200: z.object({ status: z.literal("alive") }) },
      handle: () => ok({ status: "alive" }),
    }),
    GET("/readyz", "Check whether all dependencies are reachable", {
      ...probe,
      answers: { 200: z.object({ status: z.literal("ready") }) },
      refuses: ["unavailable"],
      handle: async () => {
        const unreachable = await readiness();
        if (unreachable.length > 0) throw notReady(unreachable);
        return ok({ status: "ready" });
      },
    }),
    GET("/metrics", "Get the metrics for Prometheus", {
      ...probe,
      answers: { 200: { mediaTypes: ["text/plain"] } },
      handle: async () => ({
        status: 200,
        raw: { type: metrics.contentType, content: await metrics.text() },
      }),
    }),
  ];
}
