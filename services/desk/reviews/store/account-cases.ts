import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { ReviewCase } from "../../../domain/review/rules/review-case.ts";

const MOST = 20;

/** A closed case of another order of the account. */
export type AccountCase = Pick<
  ReviewCase,
  | "order_id"
  | "attempt"
  | "state"
  | "outcome"
  | "submitted_at"
  | "decided_at"
  | "decided_by"
  | "decisions"
>;

/** The account's last closed cases before a case, of other orders, latest first. */
export async function listAccountCases(
  db: Queryable,
  one: Pick<ReviewCase, "account_id" | "order_id" | "submitted_at">,
): Promise<AccountCase[]> {
  return queryRows<AccountCase>(db, {
    name: "case-account",
    text: `select order_id, attempt, state, outcome, submitted_at, decided_at, decided_by, decisions
      from reviews.cases
      where account_id = $1 and order_id <> $2 and submitted_at <= $3 and state <> 'open'
      order by submitted_at desc, order_id desc limit ${MOST}`,
    values: [one.account_id, one.order_id, one.submitted_at],
  });
}
