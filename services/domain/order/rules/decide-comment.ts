import type { Comment, DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { add, allow, begin, change, type Decision, type OrderDecision } from "./order-decision.ts";
import { isEnded } from "./status-facts.ts";

/** Adds a comment. Only comments of ops and carriers publish an event; customers know their own. */
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

/** Adds a comment by the service itself, which publishes no event; an internal one is for the desk alone. */
export function withSystemComment(
  decision: OrderDecision,
  body: string,
  { internal = false }: { readonly internal?: boolean } = {},
): OrderDecision {
  return add(
    decision,
    { effect: "system_comment", body, internal },
    { effect: "timeline", kind: "comment", data: { author_type: "system", body }, internal },
  );
}

/** Adds a comment. The desk's clears the alert of an order that has ended, which no status update or closing can. */
export function decideComment(order: Order, comment: Comment, { now }: DecisionContext): Decision {
  const answers = comment.author_type === "ops" && isEnded(order);
  const decision = answers ? change(begin(order), { attention: null }) : begin(order);
  return allow(withComment(decision, comment, now));
}
