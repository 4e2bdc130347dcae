import { startHealthServer, type HealthServerOptions } from "./health.ts";
import type { Logger } from "./logger.ts";

export interface MetricsConfig {
  readonly LISTEN_HOST: string;
  readonly HEALTH_PORT: number;
  readonly METRICS_PUBLIC: boolean;
}

/**
 * The listener of a front door's metrics, apart from the one for customers or operators, where METRICS_PUBLIC is false;
 * else nothing.
 */
export async function startMetricsListener(
  config: MetricsConfig,
  { log, ...parts }: Pick<HealthServerOptions, "readiness" | "metrics"> & { readonly log: Logger },
): Promise<{ stop(): Promise<void> }> {
  if (config.METRICS_PUBLIC) return { stop: () => Promise.resolve() };
  const at = { host: config.LISTEN_HOST, port: config.HEALTH_PORT };
  const server = await startHealthServer({ ...at, ...parts });
  log.info({ port: server.port }, "metrics are served on a port of their own");
  return server;
}
