import type { Queryable } from "../../../platform/db/transaction.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import type { DeadlineKind, DueKind } from "../../../domain/deadline/deadline.ts";

/** A deadline of an order. */
export interface Deadline {
  readonly kind: DeadlineKind;
  readonly subject_id: string;
  /** When it was due, or since when was waited. */
  readonly at: Date;
}

/**
 * Orders are locked, not deadlines: whoever writes a deadline holds its order's lock, and two locks in the other order
 * would meet in a deadlock. What another process holds is passed over.
 */
const LOCK_DUE = `select due.kind, due.subject_id
  from unnest($1::text[], $2::timestamptz[]) k (kind, until)
  cross join lateral (
    select d.kind, d.subject_id
    from orders.deadlines d join orders.porting_orders o on o.id = d.subject_id::uuid
    where d.kind = k.kind and coalesce(d.due_at, d.since) <= k.until
      and (d.kind, d.subject_id) not in (select * from unnest($4::text[], $5::text[]))
    order by coalesce(d.due_at, d.since) limit $3
    for update of o skip locked
  ) due`;

/** Under the locks, a look at what is there now: a deadline that was moved or taken meanwhile is not. */
const TAKE = `delete from orders.deadlines d
  using unnest($1::text[], $2::timestamptz[]) k (kind, until),
    unnest($3::text[], $4::text[]) u (kind, subject_id)
  where u.kind = k.kind and d.kind = u.kind and d.subject_id = u.subject_id
    and coalesce(d.due_at, d.since) <= k.until
  returning d.kind, d.subject_id, coalesce(d.due_at, d.since) as at`;

/** Names a deadline: one per kind and order. */
export type DeadlineKey = Pick<Deadline, "kind" | "subject_id">;

export interface TakeOptions {
  readonly due: readonly DueKind[];
  /** At most so many of each kind. */
  readonly limit: number;
  /** Those that are left alone for now. */
  readonly except: readonly DeadlineKey[];
}

/** Takes due deadlines, in the transaction of what they bring about, with the locks of their orders. */
export async function takeDueDeadlines(
  tx: Queryable,
  { due, limit, except }: TakeOptions,
): Promise<Deadline[]> {
  const kinds = [due.map((one) => one.kind), due.map((one) => one.until)];
  const locked = await queryRows<DeadlineKey>(tx, {
    name: "deadlines-lock",
    text: LOCK_DUE,
    values: [...kinds, limit, except.map((one) => one.kind), except.map((one) => one.subject_id)],
  });
  if (locked.length === 0) return [];
  return queryRows<Deadline>(tx, {
    name: "deadlines-take",
    text: TAKE,
    values: [...kinds, locked.map((one) => one.kind), locked.map((one) => one.subject_id)],
  });
}
