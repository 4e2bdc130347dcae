import type { ReviewRequest } from "../../messages/generated/review-request.ts";
import type { HandleOnce } from "../../messages/topic-consumer.ts";
import { lockOrder } from "../../domain/order/order-read-store.ts";
import { openCase, withdrawCase } from "../../domain/review/case-store.ts";
import { AppError } from "../../platform/errors.ts";

/** Opens the case of a submission, or takes it back. `dueMs`: how long the desk may take. */
export function onReviewRequest(dueMs: number): HandleOnce<ReviewRequest> {
  return async (tx, { message, raw }) => {
    const { kind, order_id: orderId, attempt } = message;
    switch (kind) {
      case "open_case": {
        const order = await lockOrder(tx, orderId);
        if (order === null) throw new AppError("unknown_order", `There is no order ${orderId}.`);
        // A withdrawal may be on its way already: an order that has moved on gets no open case.
        if (order.status !== "in_review" || order.review_attempt !== attempt) return;
        const submittedAt = new Date(raw.timestamp);
        const dueAt = new Date(submittedAt.getTime() + dueMs);
        const accountId = order.account_id;
        await openCase(tx, { orderId, accountId, attempt, submittedAt, dueAt });
        return;
      }
      case "withdraw_case":
        await withdrawCase(tx, orderId, attempt);
        return;
      case "check_document":
      case "unrecognized":
        throw new AppError("rule_broken", `Nothing is known of a review request ${kind}.`);
    }
  };
}
