import type { Bus } from "../../messages/bus.ts";
import type { ReviewResult } from "../../messages/generated/review-result.ts";
import type { HandleOnce } from "../../messages/topic-consumer.ts";
import { settleCase } from "../../domain/review/case-store.ts";
import { applyToOrder } from "../../domain/order/order-command-store.ts";
import { lockOrder } from "../../domain/order/order-read-store.ts";
import type { Actor } from "../../domain/order/order.ts";
import { AppError } from "../../platform/errors.ts";

/** Applies the desk's decision to its order; where the order has moved on meanwhile, the decision is superseded. */
export function onReviewResult(bus: Bus): HandleOnce<ReviewResult> {
  return async (tx, { message }) => {
    const order = await lockOrder(tx, message.order_id);
    if (order === null) {
      throw new AppError("unknown_order", `There is no order ${message.order_id}.`);
    }
    if (message.kind !== "decided") {
      throw new AppError("rule_broken", `Nothing is known of a review result ${message.kind}.`);
    }
    const { attempt } = message;
    const underReview = order.status === "in_review" && order.review_attempt === attempt;
    if (!underReview || message.confirm !== true) {
      await settleCase(tx, { orderId: order.id, attempt, outcome: "superseded" });
      return;
    }
    const actor: Actor = { type: "desk", id: message.operator_id, name: null };
    const decision = { actor, now: bus.clock.now() };
    await applyToOrder({ ...bus, tx }, order, { command: "desk_confirm", attempt }, decision);
    await settleCase(tx, { orderId: order.id, attempt, outcome: "applied" });
  };
}
