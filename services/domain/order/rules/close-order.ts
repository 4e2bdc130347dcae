import type { ClosedBy, ClosedReason } from "./order.ts";
import { add, move, type Move, type OrderDecision } from "./order-decision.ts";
import { withRestCancelled } from "./order-numbers.ts";
import { factsOf } from "./status-facts.ts";

export interface Closing extends Pick<Move, "by" | "now"> {
  readonly closedBy: ClosedBy;
  readonly reason: ClosedReason;
}

/** Closes the order; numbers that did not become active are cancelled with it, and nothing is left to correct. */
export function closeOrder(
  decision: OrderDecision,
  { by, now, closedBy, reason }: Closing,
): OrderDecision {
  const numbers = withRestCancelled(decision.order.numbers);
  const fields = {
    closed_by: closedBy,
    closed_reason: reason,
    exceptions: [],
    numbers,
    attention: null,
  };
  return withoutDates(move(withoutCase(decision), { by, now, fields }));
}

/** Withdraws the open case at the desk if the order leaves review without a decision. */
export function withoutCase(decision: OrderDecision): OrderDecision {
  if (!factsOf(decision.order.status).underReview) return decision;
  const attempt = decision.order.review_attempt;
  return add(decision, { effect: "review_request", kind: "withdraw_case", attempt });
}

/** Removes the deadline of the confirmed date. */
export function withoutDates(decision: OrderDecision): OrderDecision {
  return add(decision, { effect: "deadline", kind: "foc_reached", due_at: null });
}
