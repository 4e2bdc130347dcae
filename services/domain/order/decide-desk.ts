import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import type { Decision } from "./story.ts";
import { add, allow, begin, canMove, move, refuse } from "./story.ts";

/** in_review → submitted: the order leaves for the carrier, as a supplement where it has been there before. */
export function decideDeskConfirm(
  order: Order,
  attempt: number,
  { now }: DecisionContext,
): Decision {
  const story = begin(order);
  if (!canMove(story, "desk_confirm", "submitted")) {
    return refuse("invalid_state", `An order in ${order.status} is not under review.`);
  }
  if (attempt !== order.review_attempt) {
    return refuse("invalid_state", `Attempt ${attempt} is not the order's latest.`);
  }
  const version = order.request_version + 1;
  const moved = move(story, "submitted", now, { request_version: version });
  const kind = version === 1 ? "submit" : "supplement";
  return allow(add(moved, { effect: "carrier_task", kind }));
}
