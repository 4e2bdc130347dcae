import type { DueKind } from "../../../domain/deadline/deadline.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

const IS_ANY_DUE = `select exists (
    select from unnest($1::text[], $2::timestamptz[]) k (kind, until)
    cross join lateral (
      select from orders.deadlines d
      where d.kind = k.kind and coalesce(d.due_at, d.since) <= k.until limit 1
    ) due
  ) as is_due`;

/** Whether a deadline of these kinds is due; locks nothing. */
export async function isAnyDue(db: Queryable, due: readonly DueKind<string>[]): Promise<boolean> {
  const [row] = await queryRows<{ is_due: boolean }>(db, {
    name: "deadlines-any-due",
    text: IS_ANY_DUE,
    values: [due.map((one) => one.kind), due.map((one) => one.until)],
  });
  return row?.is_due === true;
}
