import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is logged about a finished request. Never the path itself, which may contain a phone number. */
export interface Outcome {
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
