import type { Bus } from "../messages/bus.ts";
import { outgoing } from "../messages/outgoing.ts";
import { writeAudit } from "../domain/account/audit-store.ts";
import { decideCase, findLatestCase } from "../domain/review/case-store.ts";
import type { ReviewCase } from "../domain/review/review-case.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import { AppError } from "../platform/errors.ts";
import { newId } from "../platform/ids.ts";
import { writeOutbox } from "../platform/outbox/outbox.ts";
import type { OperatorPrincipal } from "./operator.ts";

export interface ReviewDecision {
  readonly attempt?: number | undefined;
  readonly decisions: readonly unknown[];
  readonly confirm: boolean;
}

export interface DecisionBy {
  readonly operator: OperatorPrincipal;
  readonly requestId: string;
}

function check(one: ReviewCase, decision: ReviewDecision, { operator }: DecisionBy, now: Date) {
  const other = decision.attempt !== undefined && decision.attempt !== one.attempt;
  if (one.state !== "open" || other) {
    throw new AppError("already_decided", "The case is not open, or it is another attempt's.");
  }
  const claimed = one.claimed_until !== null && one.claimed_until > now;
  if (claimed && one.claimed_by !== operator.operatorId) {
    throw new AppError("claimed", `The case is claimed by ${one.claimed_by ?? ""}.`);
  }
}

/**
 * Closes the order's open case, and tells order-lifecycle what was decided: both, and the audit row, in one
 * transaction. Throws `not_found`, `already_decided`, `claimed`, `validation_failed`.
 */
export async function decideReview(
  bus: Bus,
  orderId: string,
  decision: ReviewDecision,
  by: DecisionBy,
): Promise<ReviewCase> {
  if (!decision.confirm && decision.decisions.length === 0) {
    throw new AppError("validation_failed", "Neither decisions nor confirm: nothing is decided.", {
      faults: [{ pointer: "#/confirm", code: "required", detail: "Decide or confirm something." }],
    });
  }
  const now = bus.clock.now();
  const decided = await inTransaction(bus.pool, async (tx) => {
    const open = await findLatestCase(tx, orderId, "lock");
    check(open, decision, by, now);
    const { attempt } = open;
    const { operatorId } = by.operator;
    const { decisions } = decision;
    const closed = await decideCase(tx, { orderId, attempt, decisions, operatorId, at: now });
    const result = {
      kind: "decided",
      order_id: orderId,
      attempt,
      decisions: [],
      confirm: decision.confirm,
      operator_id: operatorId,
    } as const;
    const address = { key: orderId, messageId: newId(now) };
    await writeOutbox(tx, [outgoing(bus, "porting.review-results", result, address)]);
    await writeAudit(tx, {
      at: now,
      operator: { id: operatorId, name: by.operator.name },
      action: "review.decided",
      accountId: open.account_id,
      portingOrderId: orderId,
      requestId: by.requestId,
      before: { state: open.state, attempt },
      after: { state: closed.state, confirm: decision.confirm },
    });
    return closed;
  });
  bus.hint.poke();
  return decided;
}
