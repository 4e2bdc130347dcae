import type { Metrics } from "../metrics.ts";
import type { Tracing } from "./tracing.ts";

/** Counts the spans that are lost; without tracing there is nothing to count. */
export function countDroppedSpans(metrics: Metrics, tracing: Tracing | null): void {
  if (tracing === null) return;
  const dropped = metrics.counter({
    name: "otel_spans_dropped_total",
    help: "Spans that were lost: the queue was full, or the collector did not take them",
    labels: ["reason"],
  });
  tracing.onDropped((reason, spans) => dropped.inc({ reason }, spans));
}
