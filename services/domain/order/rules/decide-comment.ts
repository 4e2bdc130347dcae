import type { Comment, DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { add, allow, begin, type Decision, type Story } from "./order-decision.ts";

/** A note on an order. Only what ops and carriers write is told; the customer knows his own. */
export function withComment(story: Story, comment: Comment, now: Date): Story {
  const { id, body, author_type } = comment;
  const noted = add(
    story,
    { effect: "comment", comment },
    { effect: "timeline", kind: "comment", data: { id, body, author_type } },
  );
  if (author_type !== "ops" && author_type !== "carrier") return noted;
  const payload = {
    porting_order_id: story.order.id,
    comment: { id, body, author_type, created_at: now.getTime() },
  };
  return add(noted, { effect: "event", type: "porting_order.new_comment", payload });
}

/** A note of the service itself, which no event tells. */
export function withSystemComment(story: Story, body: string): Story {
  return add(
    story,
    { effect: "system_comment", body },
    { effect: "timeline", kind: "comment", data: { author_type: "system", body } },
  );
}

export function decideComment(order: Order, comment: Comment, { now }: DecisionContext): Decision {
  return allow(withComment(begin(order), comment, now));
}
