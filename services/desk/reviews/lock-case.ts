import { isUnderReview } from "../../domain/order/rules/status-facts.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { lockOrder } from "../../domain/order/store/read-order.ts";
import { findLatestCase } from "../../domain/review/store/cases.ts";
import { liveClaimOf, type ReviewCase } from "../../domain/review/rules/review-case.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { OperatorRequest } from "../access/operator.ts";

/** An operator's request about an order's case. */
export interface CaseRequest extends OperatorRequest {
  readonly params: { readonly order_id: string };
}

export interface LockedCase {
  readonly order: Order;
  readonly one: ReviewCase;
}

/** An order and its latest case, both locked, the order first. @throws `not_found` before the first submission */
export async function lockCase(tx: Queryable, orderId: string): Promise<LockedCase> {
  const order = await lockOrder(tx, orderId);
  if (order === null) throw new AppError("not_found", "The order has no review case.");
  return { order, one: await findLatestCase(tx, orderId, "lock") };
}

/** Why an operator cannot act on a case now; null where nothing prevents it. */
export function findRefusal(
  { order, one }: LockedCase,
  operatorId: string,
  now: Date,
): AppError | null {
  if (one.state !== "open" || !isUnderReview(order, one.attempt)) {
    return new AppError("already_decided", "The case is no longer open.");
  }
  const holder = liveClaimOf(one, now);
  if (holder === null || holder === operatorId) return null;
  const name = one.claimed_by_name ?? "another operator";
  const until = one.claimed_until?.toISOString() ?? "";
  return new AppError("claimed", `${name} has claimed the case until ${until}.`);
}
