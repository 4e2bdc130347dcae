import type { Columns, RowOf } from "../../../platform/db/recordset.ts";

/** A subject's deadline as a statement parameter; with neither a date nor a start it is deleted. */
export const DEADLINE_ROW = {
  kind: "text",
  due_at: "timestamptz",
  since: "timestamptz",
} as const satisfies Columns;

export type DeadlineRow = RowOf<typeof DEADLINE_ROW>;

/**
 * Two expressions of a `with` list that write `rows`, a recordset with the columns of `DEADLINE_ROW` and each kind at
 * most once; `subject` is the SQL expression of the subject's id.
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
