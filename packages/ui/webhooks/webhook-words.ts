import type { EndpointAnswer } from "../../../services/api/webhooks/endpoints/routes.ts";
import type { DeliveryAnswer } from "../../../services/domain/webhook/answers/delivery-answer.ts";
import type { DeliveryStatus } from "../../../services/domain/webhook/rules/delivery.ts";
import type { Tone } from "../badge.tsx";

export type Delivery = DeliveryAnswer;

type Words = readonly [text: string, tone: Tone];

export const DELIVERY_WORDS: Readonly<Record<DeliveryStatus, Words>> = {
  pending: ["Waiting", "neutral"],
  retrying: ["Retrying", "info"],
  succeeded: ["Delivered", "good"],
  failed: ["Failed", "bad"],
  skipped: ["Skipped", "warning"],
  cancelled: ["Cancelled", "neutral"],
};

/** What the last attempt came to: the receiver's status, or why there was none; empty before the first. */
export function lastOutcome({ attempt_log: log }: Pick<Delivery, "attempt_log">): string {
  const last = log.at(-1);
  if (last?.response_code != null) return `HTTP ${last.response_code}`;
  return last?.error?.code ?? "";
}

/** What both sides see of an endpoint. */
export type ShownEndpoint = Pick<
  EndpointAnswer,
  | "id"
  | "url"
  | "description"
  | "enabled_events"
  | "max_per_second"
  | "active"
  | "paused_by"
  | "paused_reason"
  | "last_success_at"
  | "last_failure_at"
  | "consecutive_failures"
>;

/** How its customer is named to who reads it. */
export type Customer = "you" | "the customer";

export function endpointWords(
  endpoint: Pick<ShownEndpoint, "active" | "paused_by" | "consecutive_failures">,
  customer: Customer,
): Words {
  if (!endpoint.active) {
    return endpoint.paused_by === "system"
      ? ["Paused by the service", "bad"]
      : [`Paused by ${customer}`, "neutral"];
  }
  return endpoint.consecutive_failures > 0 ? ["Failing", "warning"] : ["Active", "good"];
}
