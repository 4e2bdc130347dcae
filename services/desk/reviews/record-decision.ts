import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  isFinal,
  type RequirementVerdict,
  type ReviewDecision,
} from "../../domain/order/rules/decide-review.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { withVerdicts, type ReviewCase } from "../../domain/review/rules/review-case.ts";
import { closeCase, recordVerdicts, storeDecision } from "../../domain/review/store/cases.ts";
import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../messages/bus/outgoing.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError, type Fault } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { byOperator } from "../access/operator.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { findDecisionFaults, findRequestFaults } from "./decision-faults.ts";
import { findRefusal, lockCase, type CaseRequest, type LockedCase } from "./lock-case.ts";
import { listScans, type StoredScan } from "./store/case-documents.ts";

/** `attempt` is null unless the operator named one. */
export type DecisionRequest = Omit<ReviewDecision, "attempt"> & {
  readonly attempt: number | null;
};

/**
 * Records a decision in its case, with its audit row, and sends it to order-lifecycle, which applies it to the order,
 * all in one transaction.
 * @throws `not_found`, `already_decided`, `claimed`, `validation_failed`
 */
export async function recordDecision(
  { bus, scansDocuments }: Pick<DeskDeps, "bus" | "scansDocuments">,
  request: CaseRequest,
  decision: DecisionRequest,
): Promise<void> {
  const now = bus.clock.now();
  const made = { id: newId(now), request, decision, now };
  await inTransaction(request.db, async (tx) => {
    const locked = await lockCase(tx, request.params.order_id);
    const { one } = locked;
    const order = withVerdicts(locked.order, one);
    refuse(locked, order, { decision, operatorId: request.principal.operatorId, now });
    if (scansDocuments) refuseUnscanned(order, decision, await listScans(tx, order.id));
    await writeVerdicts(tx, one, made);
    await writeOutbox(tx, [decidedMessage(bus, one, made)]);
    await audit(tx, { order, one }, made);
  });
}

interface MadeDecision {
  /** Also the message-id, by which the decision takes effect once. */
  readonly id: string;
  readonly request: CaseRequest;
  readonly decision: DecisionRequest;
  readonly now: Date;
}

interface OfferedDecision extends Pick<MadeDecision, "decision" | "now"> {
  readonly operatorId: string;
}

/**
 * Faults of the request itself are reported before a refusal by the case, and that before faults with the order.
 * @throws `already_decided`, `claimed`, `validation_failed`
 */
export function refuse(
  locked: LockedCase,
  order: Order,
  { decision, operatorId, now }: OfferedDecision,
): void {
  const isOther = decision.attempt !== null && decision.attempt !== locked.one.attempt;
  const refusal = isOther
    ? new AppError("already_decided", `The open case is now that of attempt ${locked.one.attempt}.`)
    : findRefusal(locked, operatorId, now);
  const faults =
    refusal === null ? findDecisionFaults(order, decision) : findRequestFaults(decision);
  if (faults.length > 0) {
    throw new AppError("validation_failed", "The decision is not valid.", { faults });
  }
  if (refusal !== null) throw refusal;
}

function refuseUnscanned(
  order: Order,
  { decisions }: DecisionRequest,
  scans: readonly StoredScan[],
): void {
  const faults = findScanFaults(order, decisions, scans);
  if (faults.length === 0) return;
  throw new AppError("validation_failed", "A document cannot be approved.", { faults });
}

async function writeVerdicts(tx: Queryable, one: ReviewCase, made: MadeDecision): Promise<void> {
  const { request, decision, now: at } = made;
  const { operatorId } = request.principal;
  const key = { orderId: one.order_id, attempt: one.attempt };
  const given = { operator_id: operatorId, at: at.toISOString() };
  const verdicts = decision.decisions.map((verdict) => ({ ...verdict, ...given }));
  if (isFinal(decision)) await closeCase(tx, key, { verdicts, operatorId, at });
  else await recordVerdicts(tx, key, verdicts);
  await storeDecision(tx, {
    id: made.id,
    order_id: one.order_id,
    attempt: one.attempt,
    operator_id: operatorId,
    decisions: decision.decisions,
    confirm: decision.confirm,
    decided_at: at,
  });
}

function decidedMessage(
  context: MessageContext,
  one: ReviewCase,
  { id, request, decision }: MadeDecision,
): OutgoingMessage {
  const message = {
    decision_id: id,
    kind: "decided",
    order_id: one.order_id,
    attempt: one.attempt,
    decisions: [...decision.decisions],
    confirm: decision.confirm,
    operator_id: request.principal.operatorId,
  } as const;
  const address = { key: one.order_id, messageId: id };
  return outgoing(context, "porting.review-results", { ...address, message });
}

function audit(tx: Queryable, { order, one }: LockedCase, made: MadeDecision): Promise<void> {
  const { request, decision, now } = made;
  const { decisions, confirm } = decision;
  const named = new Set(decisions.map(({ slug }) => slug));
  const requirements = order.requirements
    .filter(({ slug }) => named.has(slug))
    .map(({ slug, status }) => ({ slug, status }));
  return writeAudit(tx, {
    ...byOperator(request, now),
    action: "review.decided",
    accountId: one.account_id,
    portingOrderId: one.order_id,
    before: { attempt: one.attempt, state: one.state, requirements },
    after: { state: isFinal(decision) ? "decided" : "open", confirm, decisions },
  });
}

/** Approvals of documents that the virus scanner has not found clean: one that was not scanned may be anything. */
function findScanFaults(
  order: Pick<Order, "requirements">,
  decisions: readonly RequirementVerdict[],
  scans: readonly StoredScan[],
): Fault[] {
  return decisions.flatMap(({ slug, decision }, n): Fault[] => {
    const documentId = order.requirements.find((one) => one.slug === slug)?.document_id ?? null;
    if (decision !== "approve" || documentId === null) return [];
    const state = scans.find((one) => one.document_id === documentId)?.state ?? "waiting";
    const pointer = `#/decisions/${n}/decision`;
    switch (state) {
      case "clean":
        return [];
      case "infected":
        return [
          {
            pointer,
            code: "document_infected",
            detail: `${slug}: it is infected. Reject the field.`,
          },
        ];
      case "waiting":
        return [
          {
            pointer,
            code: "document_not_scanned",
            detail: `${slug}: the virus scanner has not answered yet. Try again later.`,
          },
        ];
    }
  });
}
