import type { Bus } from "../../messages/bus/bus.ts";
import type { MessageContext, OutgoingMessage } from "../../messages/bus/outgoing.ts";
import { outgoing } from "../../messages/bus/outgoing.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { RequirementVerdict, ReviewDecision } from "../../domain/order/rules/decide-review.ts";
import { isFinal } from "../../domain/order/rules/decide-review.ts";
import { findDecisionFaults, findRequestFaults } from "./decision-faults.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { closeCase, recordVerdicts } from "../../domain/review/store/cases.ts";
import type { ReviewCase } from "../../domain/review/rules/review-case.ts";
import { withVerdicts } from "../../domain/review/rules/review-case.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { DeskAct, LockedCase } from "./lock-case.ts";
import { findRefusal, lockCase } from "./lock-case.ts";
import { byOperator } from "../access/operator.ts";

/** `attempt` only where the operator named one. */
export type DecisionRequest = Omit<ReviewDecision, "attempt"> & {
  readonly attempt: number | null;
};

/**
 * Records a decision in its case and tells order-lifecycle, which owns what follows: all of it, and the audit row, in
 * one transaction. Throws `not_found`, `already_decided`, `claimed`, `validation_failed`.
 */
export async function recordDecision(
  bus: Bus,
  act: DeskAct,
  request: DecisionRequest,
): Promise<void> {
  const deed = { request, act, now: bus.clock.now() };
  await inTransaction(bus.pool, async (tx) => {
    const locked = await lockCase(tx, act.orderId);
    const { one } = locked;
    const order = withVerdicts(locked.order, one);
    refuse(locked, order, deed);
    await writeVerdicts(tx, one, deed);
    await writeOutbox(tx, [decidedMessage(bus, one, deed)]);
    await audit(tx, { order, one }, deed);
  });
  bus.hint.poke();
}

interface Deed {
  readonly request: DecisionRequest;
  readonly act: DeskAct;
  readonly now: Date;
}

/** What is wrong with the request itself comes before what the case does not allow, and that before what the order says. */
function refuse(locked: LockedCase, order: Order, { request, act, now }: Deed): void {
  const isOther = request.attempt !== null && request.attempt !== locked.one.attempt;
  const refusal = isOther
    ? new AppError("already_decided", `The case is of attempt ${locked.one.attempt} by now.`)
    : findRefusal(locked, act.operator, now);
  const faults =
    refusal === null ? findDecisionFaults(order, request, now) : findRequestFaults(request);
  if (faults.length > 0) {
    throw new AppError("validation_failed", "The decision cannot be taken so.", { faults });
  }
  if (refusal !== null) throw refusal;
}

async function writeVerdicts(
  tx: Queryable,
  one: ReviewCase,
  { request, act, now }: Deed,
): Promise<void> {
  const { operatorId } = act.operator;
  const key = { orderId: one.order_id, attempt: one.attempt };
  const given = { operator_id: operatorId, at: now.toISOString() };
  await recordVerdicts(
    tx,
    key,
    request.decisions.map((verdict) => ({ ...verdict, ...given })),
  );
  if (isFinal(request)) await closeCase(tx, key, { operatorId, at: now });
}

function decidedMessage(
  context: MessageContext,
  one: ReviewCase,
  { request, act, now }: Deed,
): OutgoingMessage {
  const message = {
    kind: "decided",
    order_id: one.order_id,
    attempt: one.attempt,
    decisions: [...request.decisions],
    confirm: request.confirm,
    operator_id: act.operator.operatorId,
  } as const;
  const address = { key: one.order_id, messageId: newId(now) };
  return outgoing(context, "porting.review-results", { ...address, message });
}

function audit(
  tx: Queryable,
  { order, one }: LockedCase,
  { request, act, now }: Deed,
): Promise<void> {
  const { decisions, confirm } = request;
  return writeAudit(tx, {
    ...byOperator(act.operator, now, act.requestId),
    action: "review.decided",
    accountId: one.account_id,
    portingOrderId: one.order_id,
    before: { attempt: one.attempt, state: one.state, requirements: statusesOf(order, decisions) },
    after: { state: isFinal(request) ? "decided" : "open", confirm, decisions },
  });
}

function statusesOf(order: Order, decisions: readonly RequirementVerdict[]) {
  const named = new Set(decisions.map(({ slug }) => slug));
  return order.requirements
    .filter(({ slug }) => named.has(slug))
    .map(({ slug, status }) => ({ slug, status }));
}
