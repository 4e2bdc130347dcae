import type { Columns, RowOf } from "../../../platform/db/recordset.ts";

/** What became of a subject's deadline as statements take it: with neither a date nor a beginning it is taken back. */
export const DEADLINE_ROW = {
  kind: "text",
  due_at: "timestamptz",
  since: "timestamptz",
} as const satisfies Columns;

export type DeadlineRow = RowOf<typeof DEADLINE_ROW>;

/**
 * Writes `rows`, a recordset with the columns of `DEADLINE_ROW` and each kind once, as two expressions of a `with`
 * list; `subject` is the expression of the id of what they belong to.
 */
export function deadlineWrites(rows: string, subject: string): string {
  return `cleared as (
    delete from orders.deadlines d using ${rows}
    where u.due_at is null and u.since is null and d.kind = u.kind and d.subject_id = ${subject}::text
  ), due as (
    insert into orders.deadlines (kind, subject_id, due_at, since)
    select u.kind, ${subject}::text, u.due_at, u.since from ${rows}
    where u.due_at is not null or u.since is not null
    on conflict (kind, subject_id) do update set due_at = excluded.due_at, since = excluded.since
  )`;
}
