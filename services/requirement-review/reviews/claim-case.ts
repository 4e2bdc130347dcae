import type { Bus } from "../../messages/bus/bus.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { setClaim } from "../../domain/review/store/cases.ts";
import { liveClaimOf } from "../../domain/review/rules/review-case.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { findRefusal, lockCase, type CaseRequest } from "./lock-case.ts";
import { byOperator } from "../access/operator.ts";

/**
 * Claims the open case for the operator for `lapseMs` from now; null releases it.
 * @throws `not_found`, `already_decided`, `claimed`
 */
export async function claimCase(
  bus: Bus,
  request: CaseRequest,
  lapseMs: number | null,
): Promise<void> {
  const now = bus.clock.now();
  const { order_id: orderId } = request.params;
  const { operatorId } = request.principal;
  await inTransaction(bus.pool, async (tx) => {
    const locked = await lockCase(tx, orderId);
    const refusal = findRefusal(locked, operatorId, now);
    if (refusal !== null) throw refusal;
    const { one } = locked;
    const before = liveClaimOf(one, now);
    if (before === null && lapseMs === null) return;
    const until = new Date(now.getTime() + (lapseMs ?? 0));
    const claim = lapseMs === null ? null : { operatorId, until };
    await setClaim(tx, { orderId, attempt: one.attempt }, claim);
    await writeAudit(tx, {
      ...byOperator(request, now),
      action: claim === null ? "review.released" : "review.claimed",
      accountId: one.account_id,
      portingOrderId: orderId,
      before: { attempt: one.attempt, claimed_by: before },
      after: {
        claimed_by: claim?.operatorId ?? null,
        claimed_until: claim?.until.toISOString() ?? null,
      },
    });
  });
}
