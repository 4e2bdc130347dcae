import type { Comment, DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { add, allow, begin, type Decision, type OrderDecision } from "./order-decision.ts";

/** A note on an order. Only what ops and carriers write is told; the customer knows his own. */
export function withComment(decision: OrderDecision, comment: Comment, now: Date): OrderDecision {
  const { id, body, author_type } = comment;
  const noted = add(
    decision,
    { effect: "comment", comment },
    { effect: "timeline", kind: "comment", data: { id, body, author_type } },
  );
  if (author_type !== "ops" && author_type !== "carrier") return noted;
  const payload = {
    porting_order_id: decision.order.id,
    comment: { id, body, author_type, created_at: now.getTime() },
  };
  return add(noted, { effect: "event", type: "porting_order.new_comment", payload });
}

/** A note of the service itself, which no event tells. */
export function withSystemComment(decision: OrderDecision, body: string): OrderDecision {
  return add(
    decision,
    { effect: "system_comment", body },
    { effect: "timeline", kind: "comment", data: { author_type: "system", body } },
  );
}

export function decideComment(order: Order, comment: Comment, { now }: DecisionContext): Decision {
  return allow(withComment(begin(order), comment, now));
}
