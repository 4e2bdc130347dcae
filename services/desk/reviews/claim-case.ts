import type { AuditEntry } from "../../domain/account/rules/audit-entry.ts";
import { includesRole } from "../../domain/account/rules/operator-role.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { isUnderReview } from "../../domain/order/rules/status-facts.ts";
import { lockOrder } from "../../domain/order/store/read-order.ts";
import {
  liveClaimOf,
  type Handover,
  type ReviewCase,
} from "../../domain/review/rules/review-case.ts";
import { findLatestCase, setClaim, type Claim } from "../../domain/review/store/cases.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { byOperator, type OperatorPrincipal, type OperatorRequest } from "../access/desk-routes.ts";
import { findAssignee, type Assignee } from "../operators/store.ts";

/** What an operator does with the claim on a case. */
export type ClaimAct =
  | { readonly act: "claim" }
  | { readonly act: "release" }
  | { readonly act: "take_over"; readonly reason: string }
  | { readonly act: "assign"; readonly operatorId: string };

/** How long a claim lasts. */
export interface ClaimContext {
  readonly bus: RouteBus;
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
  if (act.act === "take_over") requireLead(request.principal);
  const now = bus.clock.now();
  const until = new Date(now.getTime() + claimLapseMs);
  const { operatorId: by } = request.principal;
  await inTransaction(request.db, async (tx) => {
    if (act.act === "assign") requireAssignee(await findAssignee(tx, act.operatorId));
    const locked = await lockCase(tx, request.params.order_id);
    const decided = decideClaim(locked, act, { by, now, until });
    if (decided === null) return;
    const { order_id: orderId, attempt } = locked.one;
    await setClaim(tx, { orderId, attempt }, decided.claim);
    await audit(tx, { request, now, locked }, { act, ...decided });
  });
}

/** @throws `forbidden` */
export function requireLead({ role }: Pick<OperatorPrincipal, "role">): void {
  if (includesRole(role, "lead")) return;
  throw new AppError("forbidden", `To take a case over needs the role lead; yours is ${role}.`);
}

/** @throws `validation_failed` where a case cannot be assigned to the operator that was found */
export function requireAssignee(found: Assignee | null): void {
  if (found?.active === true && includesRole(found.role, "reviewer")) return;
  const detail =
    found === null
      ? "There is no such operator."
      : `${found.name} cannot decide cases: the operator must be active and a reviewer, lead or admin.`;
  const fault = { pointer: "#/operator_id", code: "not_a_reviewer", detail };
  throw new AppError("validation_failed", detail, { faults: [fault] });
}

interface Claiming {
  /** The operator who acts. */
  readonly by: string;
  readonly now: Date;
  readonly until: Date;
}

interface DecidedClaim {
  /** The claim that the case then has; null for none. */
  readonly claim: Claim | null;
  /** Whose live claim it replaces. */
  readonly holder: string | null;
}

/**
 * What becomes of the claim on a case; null where there is none to release.
 * @throws `already_decided`, `claimed`
 */
export function decideClaim(
  locked: LockedCase,
  act: ClaimAct,
  claiming: Claiming,
): DecidedClaim | null {
  const { by, now } = claiming;
  const { one } = locked;
  // A lead who takes over or assigns is stopped by nobody's claim.
  const isLeads = act.act === "take_over" || act.act === "assign";
  const refusal = findRefusal(locked, isLeads ? (one.claimed_by ?? by) : by, now);
  if (refusal !== null) throw refusal;
  const holder = liveClaimOf(one, now);
  if (act.act !== "release") return { claim: claimOf(act, one, claiming), holder };
  return holder === null ? null : { claim: null, holder };
}

/** A claim with how a lead gave it to its operator. */
function claimOf(
  act: Exclude<ClaimAct, { act: "release" }>,
  one: ReviewCase,
  { by, now, until }: Claiming,
): Claim {
  const operatorId = act.act === "assign" ? act.operatorId : by;
  const holder = liveClaimOf(one, now);
  const at = now.toISOString();
  if (holder === operatorId) {
    // Who claims what was assigned to them has seen it.
    const isSeen = act.act === "claim" && one.handover?.seen_at === null;
    const handover = isSeen ? { ...one.handover, seen_at: at } : one.handover;
    const before = one.claimed_until ?? until;
    return { operatorId, until: act.act === "assign" && before > until ? before : until, handover };
  }
  const handedOver = (reason: string | null): Handover => {
    return { from: holder, by, reason, at, seen_at: operatorId === by ? at : null };
  };
  switch (act.act) {
    case "claim":
      return { operatorId, until, handover: null };
    case "take_over":
      return { operatorId, until, handover: holder === null ? null : handedOver(act.reason) };
    case "assign":
      return {
        operatorId,
        until: operatorId === by ? until : assignedUntil(one, now),
        handover: handedOver(null),
      };
  }
}

const LEAST_ASSIGNED_MS = 24 * 3_600_000;

/** What is assigned does not lapse before its colleague can have seen it, and is free again once it is late. */
function assignedUntil({ due_at: dueAt }: ReviewCase, now: Date): Date {
  return new Date(Math.max(dueAt.getTime(), now.getTime() + LEAST_ASSIGNED_MS));
}

interface Audited extends DecidedClaim {
  readonly act: ClaimAct;
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
