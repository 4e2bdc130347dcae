import { DELIVERY_STATUSES } from "../domain/webhook/rules/delivery.ts";
import { FIRST_STATUS } from "../domain/webhook/rules/delivery-transitions.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { AttemptResult, RecordedResult } from "./store/record-results.ts";

const LATENCY_BUCKETS = [
  0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600, 3_600, 36_000,
];

const ATTEMPT_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20];

const RESULTS = DELIVERY_STATUSES.filter((status) => status !== FIRST_STATUS.active);

export interface SenderMetrics {
  recorded(results: readonly AttemptResult[], recorded: readonly RecordedResult[]): void;
  inFlight(attempts: number): void;
  /** How many seconds the oldest attempt has been due; 0 if none is overdue. */
  oldestDue(seconds: number): void;
}

export function createSenderMetrics(metrics: Metrics): SenderMetrics {
  const deliveries = metrics.counter({
    name: "webhook_deliveries_total",
    help: "Attempts recorded, by the resulting status of their delivery",
    labels: ["result"],
  });
  // From 0 on, so that the first failure counts as an increase.
  for (const result of RESULTS) deliveries.inc({ result }, 0);
  const latency = metrics.histogram({
    name: "webhook_delivery_seconds",
    help: "Seconds from an event to its successful delivery",
    buckets: LATENCY_BUCKETS,
  });
  const attempts = metrics.tracedHistogram({
    name: "webhook_attempt_seconds",
    help: "Duration of one HTTP request to a receiver, by `succeeded` or the code of the error",
    labels: ["result"],
    buckets: ATTEMPT_BUCKETS,
  });
  const inFlight = metrics.gauge({
    name: "webhook_attempts_in_flight",
    help: "Attempts under way in this process",
  });
  const oldest = metrics.gauge({
    name: "webhook_oldest_due_seconds",
    help: "How long the oldest attempt not yet made has been due",
  });
  return {
    recorded: (results, recorded) => {
      for (const { status } of recorded) deliveries.inc({ result: status });
      for (const { delivery, outcome, endedAt, entry } of results) {
        const result = entry.error?.code ?? "succeeded";
        attempts.observe({ result }, entry.duration_ms / 1_000, delivery.traceparent);
        if (outcome.trigger !== "attempt_succeeded") continue;
        latency.observe((endedAt.getTime() - delivery.event_at.getTime()) / 1_000);
      }
    },
    inFlight: (attempts) => inFlight.set(attempts),
    oldestDue: (seconds) => oldest.set(seconds),
  };
}
