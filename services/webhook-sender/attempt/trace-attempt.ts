import type { OpenSpan, Tracing } from "../../platform/tracing/tracing.ts";
import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import { Unsent, type Answer } from "./exchange.ts";

/**
 * The span of an attempt, in the trace of the change that the webhook reports, however late the attempt is; null where
 * that trace is not sampled. It names the endpoint by its key alone: a URL may hold a secret.
 */
export function startAttemptSpan(
  tracing: Tracing | null,
  delivery: ClaimedDelivery,
): OpenSpan | null {
  if (tracing === null || delivery.traceparent === null) return null;
  return tracing.start("POST", {
    kind: "client",
    parent: delivery.traceparent,
    attributes: {
      "http.request.method": "POST",
      "webhook.attempt": delivery.attempt_count,
      "webhook.delivery_id": delivery.id,
      "webhook.endpoint_key": delivery.endpoint_key,
      "webhook.event_type": delivery.event_type,
    },
  });
}

/** Ends an attempt's span as the exchange ended: null if it was cancelled. */
export function endAttemptSpan(span: OpenSpan | null, answer: Answer | Unsent | null): void {
  if (span === null) return;
  if (answer === null || answer instanceof Unsent) {
    span.end(answer === null ? "cancelled" : "unsent");
    return;
  }
  const { status, failure } = answer;
  if (status === null) {
    span.end(failure ?? "connection_failed");
    return;
  }
  span.set({ "http.response.status_code": status });
  span.end(status >= 200 && status < 300 ? undefined : String(status));
}
