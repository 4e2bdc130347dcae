import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { byOperator, type OperatorRequest } from "../access/operator.ts";
import type { ClaimContext } from "./claim-case.ts";
import { claimNextCase } from "./store/claim-next.ts";
import type { QueueFilter } from "./store/queue-filter.ts";

/** Claims the free case that has waited longest, of those that match; returns its order. @throws `not_found` */
export async function claimNext(
  { bus, claimLapseMs }: ClaimContext,
  request: OperatorRequest,
  filter: QueueFilter,
): Promise<string> {
  const now = bus.clock.now();
  const { operatorId } = request.principal;
  const until = new Date(now.getTime() + claimLapseMs);
  return inTransaction(request.db, async (tx) => {
    const claimed = await claimNextCase(tx, { filter, operatorId, now, until });
    if (claimed === null) throw new AppError("not_found", "No case that matches is free.");
    await writeAudit(tx, {
      ...byOperator(request, now),
      action: "review.claimed",
      accountId: claimed.account_id,
      portingOrderId: claimed.order_id,
      before: { attempt: claimed.attempt, claimed_by: null },
      after: { claimed_by: operatorId, claimed_until: until.toISOString() },
    });
    return claimed.order_id;
  });
}
