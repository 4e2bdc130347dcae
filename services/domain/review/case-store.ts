import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { ReviewCase } from "./review-case.ts";

const COLUMNS = `order_id, attempt, account_id, state, outcome, claimed_by, claimed_until, submitted_at, due_at,
  changed_slugs, decided_at, decided_by`;

export interface NewCase {
  readonly orderId: string;
  readonly accountId: string;
  readonly attempt: number;
  readonly submittedAt: Date;
  readonly dueAt: Date;
}

/** Opens the case of an attempt, once. */
export async function openCase(tx: Queryable, one: NewCase): Promise<void> {
  await queryRows(tx, {
    name: "case-open",
    text: `insert into reviews.cases (order_id, attempt, account_id, state, submitted_at, due_at)
      values ($1, $2, $3, 'open', $4, $5) on conflict (order_id, attempt) do nothing`,
    values: [one.orderId, one.attempt, one.accountId, one.submittedAt, one.dueAt],
  });
}

/** Takes an open case back; one that is decided already stays so. */
export async function withdrawCase(tx: Queryable, orderId: string, attempt: number): Promise<void> {
  await queryRows(tx, {
    text: `update reviews.cases set state = 'withdrawn', claimed_by = null, claimed_until = null
      where order_id = $1 and attempt = $2 and state = 'open'`,
    values: [orderId, attempt],
  });
}

/** The latest case of an order, locked where asked; `not_found` before the first submit. */
export async function findLatestCase(
  db: Queryable,
  orderId: string,
  lock: "lock" | "read",
): Promise<ReviewCase> {
  const [row] = await queryRows<ReviewCase>(db, {
    name: `case-latest-${lock}`,
    text: `select ${COLUMNS} from reviews.cases where order_id = $1 order by attempt desc limit 1
      ${lock === "lock" ? "for update" : ""}`,
    values: [orderId],
  });
  if (row === undefined) throw new AppError("not_found", "The order has no case.");
  return row;
}

export interface CaseDecision {
  readonly orderId: string;
  readonly attempt: number;
  readonly decisions: readonly unknown[];
  readonly operatorId: string;
  readonly at: Date;
}

/** Closes an open case with its decision; the caller holds its lock. */
export async function decideCase(tx: Queryable, decision: CaseDecision): Promise<ReviewCase> {
  const [row] = await queryRows<ReviewCase>(tx, {
    name: "case-decide",
    text: `update reviews.cases set state = 'decided', decisions = $3, decided_at = $4, decided_by = $5,
        claimed_by = null, claimed_until = null
      where order_id = $1 and attempt = $2 and state = 'open' returning ${COLUMNS}`,
    values: [
      decision.orderId,
      decision.attempt,
      JSON.stringify(decision.decisions),
      decision.at,
      decision.operatorId,
    ],
  });
  if (row === undefined) throw new AppError("already_decided", "The case is not open.");
  return row;
}

export interface CaseOutcome {
  readonly orderId: string;
  readonly attempt: number;
  readonly outcome: "applied" | "superseded";
}

/** Records what became of a decision when the order got it. */
export async function settleCase(tx: Queryable, settled: CaseOutcome): Promise<void> {
  await queryRows(tx, {
    name: "case-settle",
    text: `update reviews.cases set outcome = $3
      where order_id = $1 and attempt = $2 and outcome is null`,
    values: [settled.orderId, settled.attempt, settled.outcome],
  });
}

export interface QueueFilter {
  readonly account_id?: string | undefined;
  readonly country_code?: string | undefined;
  readonly overdue?: boolean | undefined;
  readonly claimed_by?: string | undefined;
}

export interface QueueScan {
  readonly direction: "asc" | "desc";
  /** The order beyond whose case rows lie. */
  readonly cursorId: string | null;
  readonly fetch: number;
  readonly now: Date;
}

export interface QueuedCase {
  readonly order_id: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly country_code: string;
  readonly number_type: string;
  readonly numbers_count: number;
  readonly submitted_at: Date;
  readonly due_at: Date;
  readonly attempt: number;
  readonly changed_slugs: readonly string[];
  readonly claimed_by: string | null;
}

/** Open cases in the order in which they were submitted. */
export async function listOpenCases(
  db: Queryable,
  scan: QueueScan,
  filter: QueueFilter,
): Promise<QueuedCase[]> {
  const beyond = scan.direction === "asc" ? ">" : "<";
  return queryRows<QueuedCase>(db, {
    text: `select c.order_id, json_build_object('id', a.id, 'name', a.name) as account, o.country_code, o.number_type,
        (select count(*) from orders.order_numbers n where n.order_id = o.id) as numbers_count,
        c.submitted_at, c.due_at, c.attempt, c.changed_slugs,
        case when c.claimed_until > $2 then c.claimed_by end as claimed_by
      from reviews.cases c
        join orders.porting_orders o on o.id = c.order_id
        join accounts.accounts a on a.id = c.account_id
      where c.state = 'open'
        and ($3::uuid is null or (c.submitted_at, c.order_id) ${beyond}
          (select submitted_at, order_id from reviews.cases where order_id = $3 and state = 'open'))
        and ($4::uuid is null or c.account_id = $4)
        and ($5::text is null or o.country_code = $5)
        and ($6::boolean is null or (c.due_at < $2) = $6)
        and ($7::uuid is null or (c.claimed_by = $7 and c.claimed_until > $2))
      order by c.submitted_at ${scan.direction}, c.order_id ${scan.direction} limit $1`,
    values: [
      scan.fetch,
      scan.now,
      scan.cursorId,
      filter.account_id ?? null,
      filter.country_code ?? null,
      filter.overdue ?? null,
      filter.claimed_by ?? null,
    ],
  });
}
