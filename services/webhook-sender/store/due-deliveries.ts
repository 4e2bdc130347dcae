import { isOpen, isWaiting, WAITING_QUEUES } from "../../domain/webhook/store/delivery-status.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { DueLine } from "../queue/endpoint-queue.ts";

const FREE = "(d.lease_until is null or d.lease_until <= $2)";

const DUE_OF = `select d.endpoint_key, d.priority, array_agg(d.id order by d.next_attempt_at) as delivery_ids
  from unnest($1::uuid[], $4::smallint[]) k (endpoint_key, priority)
  cross join lateral (
    select d.account_id from webhooks.deliveries d
    where d.endpoint_key = k.endpoint_key and d.priority = k.priority and ${isWaiting("d")} limit 1
  ) owner
  join accounts.accounts a on a.id = owner.account_id and a.status = 'active'
  cross join lateral (
    select d.endpoint_key, d.priority, d.id, d.next_attempt_at from webhooks.deliveries d
    where d.endpoint_key = k.endpoint_key and d.priority = k.priority and ${isWaiting("d")}
      and d.next_attempt_at <= $2 and ${FREE}
    order by d.next_attempt_at limit $3
  ) d
  group by d.endpoint_key, d.priority`;

export interface DueDeliveries extends DueLine {
  readonly delivery_ids: readonly string[];
}

/**
 * The due and free deliveries of each line, up to `limit`, the longest due first. Suspended accounts are
 * left out: their deliveries cannot be claimed and would be fetched again at once.
 */
export async function dueDeliveries(
  db: Queryable,
  lines: readonly DueLine[],
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<DueDeliveries[]> {
  return queryRows<DueDeliveries>(db, {
    name: "deliveries-due",
    text: DUE_OF,
    values: [
      lines.map((line) => line.endpoint_key),
      now,
      limit,
      lines.map((line) => line.priority),
    ],
  });
}

const WAITING = `with recursive ${WAITING_QUEUES}, lines as (
    select l.endpoint_key, p.priority, o.due, o.due <= $1 and exists (
        select from webhooks.deliveries d
        where d.endpoint_key = l.endpoint_key and ${isWaiting("d")} and d.priority = p.priority
          and d.next_attempt_at <= $1 and ${FREE}
      ) as is_overdue
    from queues l
    join accounts.accounts a on a.id = l.account_id and a.status = 'active'
    cross join (values (0), (1), (2)) p (priority)
    cross join lateral (
      select d.next_attempt_at as due from webhooks.deliveries d
      where d.endpoint_key = l.endpoint_key and ${isWaiting("d")} and d.priority = p.priority
      order by d.next_attempt_at limit 1
    ) o
  )
  select min(due) as oldest, coalesce(jsonb_agg(jsonb_build_object('endpoint_key', endpoint_key, 'priority', priority))
    filter (where is_overdue), '[]') as overdue
  from lines`;

/** What waits of active accounts: what suspended ones have waiting is not late. */
export interface WaitingLines {
  /** When the oldest waiting attempt became due; null if none waits. */
  readonly oldest: Date | null;
  /** Lines with an unclaimed delivery that has been due since before `dueBefore`. */
  readonly overdue: readonly DueLine[];
}

export async function waitingLines(
  db: Queryable,
  dueBefore: Date,
  now: Date,
): Promise<WaitingLines> {
  const [row] = await queryRows<WaitingLines>(db, {
    name: "lines-waiting",
    text: WAITING,
    values: [dueBefore, now],
  });
  return row ?? { oldest: null, overdue: [] };
}

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
    where ${isWaiting("d")} and d.next_attempt_at > now() + ${TOLERANCE}
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
