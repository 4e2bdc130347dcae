import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { DeskDecision, Handover, RecordedVerdict, ReviewCase } from "../rules/review-case.ts";

const COLUMNS = `c.order_id, c.attempt, c.account_id, c.state, c.outcome, c.claimed_by, c.claimed_until, c.handover,
  c.submitted_at, c.due_at, c.changed_slugs, c.decisions, c.decided_at, c.decided_by,
  (select name from accounts.accounts where id = c.account_id) as account_name,
  (select name from accounts.operators where id = c.claimed_by) as claimed_by_name`;

interface NewCase {
  readonly orderId: string;
  readonly accountId: string;
  readonly attempt: number;
  readonly submittedAt: Date;
  readonly dueAt: Date;
  readonly changedSlugs: readonly string[];
}

/**
 * Opens the case of an attempt, with a copy of the order's values for comparison at the next attempt; a repeat changes
 * nothing. The caller holds the order's lock.
 */
export async function openCase(tx: Queryable, one: NewCase): Promise<void> {
  const { orderId, attempt, accountId, submittedAt, dueAt, changedSlugs } = one;
  await queryRows(tx, {
    name: "case-open",
    text: `with opened as (
        insert into reviews.cases (order_id, attempt, account_id, state, submitted_at, due_at, changed_slugs)
        values ($1, $2, $3, 'open', $4, $5, $6) on conflict (order_id, attempt) do nothing
        returning order_id, attempt
      )
      insert into reviews.case_values
        (order_id, attempt, slug, value, sealed_value, sealed_key_id, masked_value, document_id)
      select o.order_id, o.attempt, r.slug, r.value, r.sealed_value, r.sealed_key_id, r.masked_value, r.document_id
      from opened o join orders.requirements r on r.order_id = o.order_id
      where coalesce(r.value, r.masked_value, r.document_id::text) is not null`,
    values: [orderId, attempt, accountId, submittedAt, dueAt, changedSlugs],
  });
}

/** Withdraws an open case; a decided one does not change. */
export async function withdrawCase(tx: Queryable, orderId: string, attempt: number): Promise<void> {
  await queryRows(tx, {
    text: `update reviews.cases set state = 'withdrawn', claimed_by = null, claimed_until = null
      where order_id = $1 and attempt = $2 and state = 'open'`,
    values: [orderId, attempt],
  });
}

const LATEST = `select ${COLUMNS} from reviews.cases c where c.order_id = $1
  order by c.attempt desc limit 1`;

/** Finds the latest case of an order, locked if requested. @throws `not_found` before the first submission */
export async function findLatestCase(
  db: Queryable,
  orderId: string,
  lock: "lock" | "read",
): Promise<ReviewCase> {
  const [row] = await queryRows<ReviewCase>(db, {
    name: `case-latest-${lock}`,
    text: lock === "lock" ? `${LATEST} for update of c` : LATEST,
    values: [orderId],
  });
  if (row === undefined) throw new AppError("not_found", "The order has no review case.");
  return row;
}

/** The cases before an attempt, latest first; none, and no statement, for the first one. */
export async function listEarlierCases(
  db: Queryable,
  orderId: string,
  attempt: number,
): Promise<ReviewCase[]> {
  if (attempt === 1) return [];
  return queryRows<ReviewCase>(db, {
    name: "case-earlier",
    text: `select ${COLUMNS} from reviews.cases c where c.order_id = $1 and c.attempt < $2
      order by c.attempt desc`,
    values: [orderId, attempt],
  });
}

export interface CaseKey {
  readonly orderId: string;
  readonly attempt: number;
}

export interface Claim {
  readonly operatorId: string;
  readonly until: Date;
  readonly handover: Handover | null;
}

/** Sets or clears an operator's claim on an open case; the caller holds its lock. */
export async function setClaim(
  tx: Queryable,
  { orderId, attempt }: CaseKey,
  claim: Claim | null,
): Promise<void> {
  await queryRows(tx, {
    name: "case-claim",
    text: `update reviews.cases set claimed_by = $3, claimed_until = $4, handover = $5
      where order_id = $1 and attempt = $2 and state = 'open'`,
    values: [
      orderId,
      attempt,
      claim?.operatorId ?? null,
      claim?.until ?? null,
      claim === null || claim.handover === null ? null : JSON.stringify(claim.handover),
    ],
  });
}

/** Adds verdicts to a case that stays open; the caller holds its lock. */
export async function recordVerdicts(
  tx: Queryable,
  { orderId, attempt }: CaseKey,
  verdicts: readonly RecordedVerdict[],
): Promise<void> {
  await queryRows(tx, {
    name: "case-verdicts",
    text: `update reviews.cases set decisions = decisions || $3::jsonb
      where order_id = $1 and attempt = $2 and state = 'open'`,
    values: [orderId, attempt, JSON.stringify(verdicts)],
  });
}

interface CaseClosing {
  readonly verdicts: readonly RecordedVerdict[];
  readonly operatorId: string;
  readonly at: Date;
}

/** Closes an open case with its last verdicts, and with it its claim; the caller holds its lock. */
export async function closeCase(
  tx: Queryable,
  { orderId, attempt }: CaseKey,
  { verdicts, operatorId, at }: CaseClosing,
): Promise<void> {
  await queryRows(tx, {
    name: "case-close",
    text: `update reviews.cases set decisions = decisions || $3::jsonb, state = 'decided', decided_at = $4,
        decided_by = $5, claimed_by = null, claimed_until = null
      where order_id = $1 and attempt = $2 and state = 'open'`,
    values: [orderId, attempt, JSON.stringify(verdicts), at, operatorId],
  });
}

/** Records whether a decision was applied to the order or superseded. */
export async function settleCase(
  tx: Queryable,
  { orderId, attempt }: CaseKey,
  outcome: "applied" | "superseded",
): Promise<void> {
  await queryRows(tx, {
    name: "case-settle",
    text: `update reviews.cases set outcome = $3
      where order_id = $1 and attempt = $2 and outcome is null`,
    values: [orderId, attempt, outcome],
  });
}

/** A decision under the id by which its message names it. */
export interface StoredDecision extends DeskDecision {
  readonly id: string;
  readonly decided_at: Date;
}

/** Stores a decision; the caller holds the lock of its case. */
export async function storeDecision(tx: Queryable, made: StoredDecision): Promise<void> {
  await queryRows(tx, {
    name: "decision-store",
    text: `insert into reviews.decisions (id, order_id, attempt, operator_id, decisions, confirm, decided_at)
      values ($1, $2, $3, $4, $5::jsonb, $6, $7)`,
    values: [
      made.id,
      made.order_id,
      made.attempt,
      made.operator_id,
      JSON.stringify(made.decisions),
      made.confirm,
      made.decided_at,
    ],
  });
}

export async function findDecision(db: Queryable, id: string): Promise<StoredDecision | null> {
  const [row] = await queryRows<StoredDecision>(db, {
    name: "decision-find",
    text: `select id, order_id, attempt, operator_id, decisions, confirm, decided_at
      from reviews.decisions where id = $1`,
    values: [id],
  });
  return row ?? null;
}
