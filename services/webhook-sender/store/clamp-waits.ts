import { isOpen } from "./claim-deliveries.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

/** Waiting deliveries examined per statement. */
const PAGE = 2_000;
/** The clocks of several processes differ by less than this. */
const TOLERANCE = "interval '1 second'";
const FIRST: ClampCursor = {
  next_attempt_at: "infinity",
  id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

/** The last delivery of a page; its time as text, because a Date has no microseconds. */
export interface ClampCursor {
  readonly next_attempt_at: string;
  readonly id: string;
}

// A delivery that was not attempted, or is retried by hand, waits for nothing; after the nth attempt it waits the nth
// delay, and after more attempts than a shortened schedule has, the last.
const LONGEST = `case when p.attempt_count = 0 or p.by_hand then 0
    else ($1::bigint[])[least(p.attempt_count, cardinality($1::bigint[]))] end * interval '1 millisecond'`;

const CLAMP = `with page as materialized (
    select d.id, d.created_at, d.next_attempt_at, d.attempt_count, d.by_hand from webhooks.deliveries d
    where d.status in ('pending', 'retrying') and d.next_attempt_at > now() + ${TOLERANCE}
      and (d.next_attempt_at, d.id) < ($2::timestamptz, $3::uuid)
    order by d.next_attempt_at desc, d.id desc limit ${PAGE}
  ), far as materialized (
    select d.id, d.created_at, now() + l.longest as latest
    from page p cross join lateral (select ${LONGEST} as longest) l
    join webhooks.deliveries d on d.id = p.id and d.created_at = p.created_at
    where p.next_attempt_at > now() + l.longest + ${TOLERANCE}
      and d.next_attempt_at = p.next_attempt_at and ${isOpen("d")}
    for update of d skip locked
  ), clamped as (
    update webhooks.deliveries d set next_attempt_at = f.latest
    from far f where d.id = f.id and d.created_at = f.created_at
    returning d.id
  )
  select (select count(*) from clamped) as clamped,
    (select jsonb_build_object('next_attempt_at', p.next_attempt_at::text, 'id', p.id) from page p
      order by p.next_attempt_at desc, p.id desc offset ${PAGE - 1}) as last`;

export interface ClampedPage {
  readonly clamped: number;
  /** Where the next page begins; null after the last. */
  readonly last: ClampCursor | null;
}

/**
 * Brings waits that lie further in the future than their backoff step allows back to the step from now, by the database's
 * clock: they were set by a process whose clock was ahead, or before the database's was set back.
 */
export async function clampWaits(
  db: Queryable,
  delaysMs: readonly number[],
  after: ClampCursor | null,
): Promise<ClampedPage> {
  const { next_attempt_at: at, id } = after ?? FIRST;
  const [page] = await queryRows<ClampedPage>(db, {
    name: "deliveries-clamp",
    text: CLAMP,
    values: [delaysMs, at, id],
  });
  return page ?? { clamped: 0, last: null };
}
