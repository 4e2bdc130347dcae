import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { DueKind } from "../../../domain/deadline/deadline.ts";

export interface Deadline<K extends string = string> {
  readonly kind: K;
  /** The id of the order or the port-out. */
  readonly subject_id: string;
  /** When it was due, or when its wait began. */
  readonly at: Date;
}

/** Identifies a deadline: one per kind and subject. */
export type DeadlineKey = Pick<Deadline, "kind" | "subject_id">;

/**
 * Locks subjects, not deadlines: whoever writes a deadline holds its subject's lock, and taking the two locks in the
 * other order could deadlock. Subjects that another process has locked are skipped.
 */
const lockDue = (table: string): string => `select due.kind, due.subject_id
  from unnest($1::text[], $2::timestamptz[]) k (kind, until)
  cross join lateral (
    select d.kind, d.subject_id
    from orders.deadlines d join ${table} s on s.id = d.subject_id::uuid
    where d.kind = k.kind and coalesce(d.due_at, d.since) <= k.until
      and (d.kind, d.subject_id) not in (select * from unnest($4::text[], $5::text[]))
    order by coalesce(d.due_at, d.since) limit $3
    for update of s skip locked
  ) due`;

/** The statement that locks the subjects, by their table. */
const LOCK_DUE = {
  orders: { name: "deadlines-lock-orders", text: lockDue("orders.porting_orders") },
  port_outs: { name: "deadlines-lock-port-outs", text: lockDue("orders.port_outs") },
} as const;

/** Under the locks, deletes those that are still due: a deadline may have been moved or taken since. */
const TAKE = `delete from orders.deadlines d
  using unnest($1::text[], $2::timestamptz[]) k (kind, until),
    unnest($3::text[], $4::text[]) u (kind, subject_id)
  where u.kind = k.kind and d.kind = u.kind and d.subject_id = u.subject_id
    and coalesce(d.due_at, d.since) <= k.until
  returning d.kind, d.subject_id, coalesce(d.due_at, d.since) as at`;

export interface TakeOptions<K extends string> {
  readonly subjects: keyof typeof LOCK_DUE;
  readonly due: readonly DueKind<K>[];
  /** Maximum per kind. */
  readonly limit: number;
  /** Those that are postponed. */
  readonly except: readonly DeadlineKey[];
}

/** Takes due deadlines and locks their subjects, in the transaction that applies them. */
export async function takeDueDeadlines<K extends string>(
  tx: Queryable,
  { subjects, due, limit, except }: TakeOptions<K>,
): Promise<Deadline<K>[]> {
  const kinds = [due.map((one) => one.kind), due.map((one) => one.until)];
  const locked = await queryRows<DeadlineKey>(tx, {
    ...LOCK_DUE[subjects],
    values: [...kinds, limit, except.map((one) => one.kind), except.map((one) => one.subject_id)],
  });
  if (locked.length === 0) return [];
  return queryRows<Deadline<K>>(tx, {
    name: "deadlines-take",
    text: TAKE,
    values: [...kinds, locked.map((one) => one.kind), locked.map((one) => one.subject_id)],
  });
}

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
