import type { ClosedBy } from "./order.ts";
import { add, move, type Move, type Story } from "./order-decision.ts";
import { withRestCancelled } from "./order-numbers.ts";
import { factsOf } from "./status-facts.ts";

export interface Closing extends Pick<Move, "by" | "now"> {
  readonly closedBy: ClosedBy;
}

/** Closes the order; numbers that did not become active are cancelled with it. */
export function closeOrder(story: Story, { by, now, closedBy }: Closing): Story {
  const numbers = withRestCancelled(story.order.numbers);
  const fields = { closed_by: closedBy, numbers, attention: null };
  return withoutDates(move(withoutCase(story), { by, now, fields }));
}

/** An open case at the desk is withdrawn when its order leaves the review without it. */
export function withoutCase(story: Story): Story {
  if (!factsOf(story.order.status).underReview) return story;
  const attempt = story.order.review_attempt;
  return add(story, { effect: "review_request", kind: "withdraw_case", attempt });
}

/** The clock has nothing more to do on the confirmed date. */
export function withoutDates(story: Story): Story {
  return add(story, { effect: "deadline", kind: "foc_reached", due_at: null });
}
