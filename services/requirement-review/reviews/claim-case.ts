import type { Bus } from "../../messages/bus/bus.ts";
import type { AuditEntry } from "../../domain/account/rules/audit-entry.ts";
import { includesRole } from "../../domain/account/rules/operator-role.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { setClaim, type Claim } from "../../domain/review/store/cases.ts";
import {
  liveClaimOf,
  type Handover,
  type ReviewCase,
} from "../../domain/review/rules/review-case.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { findAssignee } from "../operators/store/assignees.ts";
import { findRefusal, lockCase, type CaseRequest, type LockedCase } from "./lock-case.ts";
import { byOperator } from "../access/operator.ts";

/** What an operator does with the claim on a case. */
export type ClaimAct =
  | { readonly act: "claim" }
  | { readonly act: "release" }
  | { readonly act: "take_over"; readonly reason: string }
  | { readonly act: "assign"; readonly operatorId: string };

/** How long a claim lasts. */
export interface ClaimContext {
  readonly bus: Bus;
  readonly claimLapseMs: number;
}

/**
 * Claims the open case for the operator, releases it, takes it over from another one, or assigns it. An operator who
 * claims the case again has it for the whole time again.
 * @throws `not_found`, `already_decided`, `claimed`, `forbidden`, `validation_failed`
 */
export async function claimCase(
  { bus, claimLapseMs }: ClaimContext,
  request: CaseRequest,
  act: ClaimAct,
): Promise<void> {
  if (act.act === "take_over") requireLead(request);
  const now = bus.clock.now();
  const until = new Date(now.getTime() + claimLapseMs);
  await inTransaction(bus.pool, async (tx) => {
    if (act.act === "assign") await requireAssignee(tx, act.operatorId);
    const locked = await lockCase(tx, request.params.order_id);
    const refusal = findRefusal(locked, mayHold(act, locked, request), now);
    if (refusal !== null) throw refusal;
    const holder = liveClaimOf(locked.one, now);
    if (act.act === "release" && holder === null) return;
    const claim = claimOf({ act, request, now, until }, locked.one);
    await setClaim(tx, { orderId: locked.one.order_id, attempt: locked.one.attempt }, claim);
    await audit(tx, { request, now, locked }, { act, claim, holder });
  });
}

function requireLead({ principal: { role } }: CaseRequest): void {
  if (includesRole(role, "lead")) return;
  throw new AppError("forbidden", `To take a case over needs the role lead; yours is ${role}.`);
}

async function requireAssignee(tx: Queryable, operatorId: string): Promise<void> {
  const found = await findAssignee(tx, operatorId);
  if (found?.active === true && includesRole(found.role, "reviewer")) return;
  const detail =
    found === null
      ? "There is no such operator."
      : `${found.name} cannot decide cases: the operator must be active and a reviewer, lead or admin.`;
  const fault = { pointer: "#/operator_id", code: "not_a_reviewer", detail };
  throw new AppError("validation_failed", detail, { faults: [fault] });
}

/** Whose live claim is in the way of nothing: a lead who takes over or assigns is stopped by none. */
function mayHold(act: ClaimAct, { one }: LockedCase, { principal }: CaseRequest): string {
  const isLeads = act.act === "take_over" || act.act === "assign";
  return isLeads ? (one.claimed_by ?? principal.operatorId) : principal.operatorId;
}

interface Claiming {
  readonly act: ClaimAct;
  readonly request: CaseRequest;
  readonly now: Date;
  readonly until: Date;
}

function claimOf({ act, request, now, until }: Claiming, one: ReviewCase): Claim | null {
  if (act.act === "release") return null;
  const { operatorId: by } = request.principal;
  const operatorId = act.act === "assign" ? act.operatorId : by;
  const holder = liveClaimOf(one, now);
  if (holder === operatorId) return { operatorId, until, handover: one.handover };
  const handedOver = (reason: string | null): Handover => {
    return { from: holder, by, reason, at: now.toISOString() };
  };
  switch (act.act) {
    case "claim":
      return { operatorId, until, handover: null };
    case "take_over":
      return { operatorId, until, handover: holder === null ? null : handedOver(act.reason) };
    case "assign":
      return { operatorId, until, handover: handedOver(null) };
  }
}

interface Audited {
  readonly act: ClaimAct;
  readonly claim: Claim | null;
  readonly holder: string | null;
}

const ACTIONS = {
  claim: "review.claimed",
  release: "review.released",
  take_over: "review.taken_over",
  assign: "review.assigned",
} as const satisfies Record<ClaimAct["act"], AuditEntry["action"]>;

interface ClaimedCase {
  readonly request: CaseRequest;
  readonly now: Date;
  readonly locked: LockedCase;
}

function audit(
  tx: Queryable,
  { request, now, locked: { one } }: ClaimedCase,
  { act, claim, holder }: Audited,
): Promise<void> {
  return writeAudit(tx, {
    ...byOperator(request, now),
    action: ACTIONS[act.act],
    accountId: one.account_id,
    portingOrderId: one.order_id,
    before: { attempt: one.attempt, claimed_by: holder },
    after: {
      claimed_by: claim?.operatorId ?? null,
      claimed_until: claim?.until.toISOString() ?? null,
      ...(act.act === "take_over" ? { reason: act.reason } : {}),
    },
  });
}
