import type { Order } from "../../domain/order/rules/order.ts";
import type { DeskFacts } from "./store/desk-facts.ts";

/** Why the desk has to look at an order: its own alert, a message that awaits a replay, or a late review. */
export const ATTENTION_KINDS = ["carrier", "dead_letter", "review_overdue"] as const;

export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export interface OrderAttention {
  readonly kind: AttentionKind;
  readonly reason: string;
  readonly raised_at: string;
}

/** The most pressing reason to look at the order; null if there is none. */
export function attentionOf(
  { attention }: Pick<Order, "attention">,
  { dead_letter: letter, overdue_since: overdueSince }: DeskFacts,
): OrderAttention | null {
  if (attention !== null) return { kind: "carrier", ...attention };
  if (letter !== null) {
    const { consumer, error_code: code, created_at: at } = letter;
    const reason = `${consumer} could not handle a message of the order (${code}).`;
    return { kind: "dead_letter", reason, raised_at: new Date(at).toISOString() };
  }
  if (overdueSince === null) return null;
  const reason = "The review is past its due time.";
  return { kind: "review_overdue", reason, raised_at: overdueSince.toISOString() };
}
