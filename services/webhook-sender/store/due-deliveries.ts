import { WAITING_QUEUES } from "../../domain/webhook/store/waiting-queues.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { DueLine } from "../queue/priority.ts";

const FREE = "(d.lease_until is null or d.lease_until <= $2)";

const DUE_OF = `select d.endpoint_key, d.priority, array_agg(d.id order by d.next_attempt_at) as delivery_ids
  from unnest($1::uuid[], $4::smallint[]) k (endpoint_key, priority)
  cross join lateral (
    select d.account_id from webhooks.deliveries d
    where d.endpoint_key = k.endpoint_key and d.priority = k.priority and d.status in ('pending', 'retrying') limit 1
  ) owner
  join accounts.accounts a on a.id = owner.account_id and a.status = 'active'
  cross join lateral (
    select d.endpoint_key, d.priority, d.id, d.next_attempt_at from webhooks.deliveries d
    where d.endpoint_key = k.endpoint_key and d.priority = k.priority and d.status in ('pending', 'retrying')
      and d.next_attempt_at <= $2 and ${FREE}
    order by d.next_attempt_at limit $3
  ) d
  group by d.endpoint_key, d.priority`;

export interface DueDeliveries extends DueLine {
  readonly delivery_ids: readonly string[];
}

export interface DueLimit {
  readonly now: Date;
  /** Per line. */
  readonly limit: number;
}

/**
 * The due and free deliveries of each line, up to `limit`, the longest due first. Suspended accounts are
 * left out: their deliveries cannot be claimed and would be fetched again at once.
 */
export async function dueDeliveries(
  db: Queryable,
  lines: readonly DueLine[],
  { now, limit }: DueLimit,
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

const OVERDUE = `with recursive ${WAITING_QUEUES}
  select l.endpoint_key, p.priority from queues l
  join accounts.accounts a on a.id = l.account_id and a.status = 'active'
  cross join (values (0), (1), (2)) p (priority)
  where exists (
    select from webhooks.deliveries d
    where d.endpoint_key = l.endpoint_key and d.status in ('pending', 'retrying') and d.priority = p.priority
      and d.next_attempt_at <= $1 and ${FREE}
  )`;

/** Lines of active accounts with an unclaimed delivery that has been due since before `dueBefore`. */
export async function overdueLines(db: Queryable, dueBefore: Date, now: Date): Promise<DueLine[]> {
  return queryRows<DueLine>(db, {
    name: "lines-overdue",
    text: OVERDUE,
    values: [dueBefore, now],
  });
}

const OLDEST = `with recursive ${WAITING_QUEUES}
  select min(o.due) as due from queues l
  join accounts.accounts a on a.id = l.account_id and a.status = 'active'
  cross join (values (0), (1), (2)) p (priority)
  cross join lateral (
    select d.next_attempt_at as due from webhooks.deliveries d
    where d.endpoint_key = l.endpoint_key and d.status in ('pending', 'retrying') and d.priority = p.priority
    order by d.next_attempt_at limit 1
  ) o`;

/** When the oldest waiting attempt became due; null if none waits. What suspended accounts have waiting is not late. */
export async function oldestDue(db: Queryable): Promise<Date | null> {
  const [row] = await queryRows<{ due: Date | null }>(db, {
    name: "deliveries-oldest-due",
    text: OLDEST,
  });
  return row?.due ?? null;
}
