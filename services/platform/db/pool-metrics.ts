import type { Metrics } from "../metrics.ts";
import type { DividedPool } from "./divided-pool.ts";

const WAIT_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Shows how busy a pool is; `name` distinguishes it from the other pools of the process. */
export function watchPool(metrics: Metrics, name: string, pool: DividedPool): void {
  const connections = metrics.gauge({
    name: "database_pool_connections",
    help: "Open connections of a pool, by whether they are in use",
    labels: ["pool", "state"],
  });
  const most = metrics.gauge({
    name: "database_pool_max_connections",
    help: "How many connections a pool may open",
    labels: ["pool"],
  });
  const waiting = metrics.gauge({
    name: "database_pool_waiting_requests",
    help: "Requests for a connection of a pool that wait because all that they may take are in use",
    labels: ["pool"],
  });
  const waited = metrics.histogram({
    name: "database_pool_wait_seconds",
    help: "How long requests for a connection of a pool have waited, of those that found all that they may take in use",
    labels: ["pool"],
    buckets: WAIT_SECONDS,
  });
  waited.zero({ pool: name });
  pool.onWaited((seconds) => waited.observe({ pool: name }, seconds));
  metrics.beforePage(() => {
    const { totalCount, idleCount, waitingRequests, options } = pool;
    connections.set({ pool: name, state: "busy" }, totalCount - idleCount);
    connections.set({ pool: name, state: "idle" }, idleCount);
    most.set({ pool: name }, options.max);
    waiting.set({ pool: name }, waitingRequests);
  });
}
