import type { z } from "zod";
import type { deliveryAnswer } from "../../../domain/webhook/answers/delivery-answer.ts";
import type { Tone } from "../../ui/badge.tsx";

export type Delivery = z.infer<typeof deliveryAnswer>;

type Words = readonly [text: string, tone: Tone];

export const DELIVERY_WORDS: Readonly<Record<string, Words>> = {
  pending: ["Waiting", "neutral"],
  retrying: ["Retrying", "info"],
  succeeded: ["Delivered", "good"],
  failed: ["Failed", "bad"],
  skipped: ["Skipped", "warning"],
  cancelled: ["Cancelled", "neutral"],
};

export function deliveryWords(status: string): Words {
  return DELIVERY_WORDS[status] ?? [status, "neutral"];
}

/** What the last attempt came to: the receiver's status, or why there was none. */
export function lastOutcome({ attempt_log: log }: Pick<Delivery, "attempt_log">): string {
  const last = log.at(-1);
  if (last === undefined) return "–";
  return last.response_code === null ? (last.error?.code ?? "–") : String(last.response_code);
}
