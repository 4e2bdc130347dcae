import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";

const FREE = "(d.lease_until is null or d.lease_until <= $2)";

const DUE_OF = `select d.endpoint_key, array_agg(d.id order by d.priority, d.next_attempt_at) as delivery_ids
  from unnest($1::uuid[]) k (endpoint_key)
  cross join lateral (
    select d.endpoint_key, d.id, d.priority, d.next_attempt_at from webhooks.deliveries d
    where d.endpoint_key = k.endpoint_key and d.status in ('pending', 'retrying')
      and d.next_attempt_at <= $2 and ${FREE}
    order by d.priority, d.next_attempt_at limit $3
  ) d
  group by d.endpoint_key`;

export interface DueLane {
  readonly endpoint_key: string;
  readonly delivery_ids: readonly string[];
}

/** The first of what is due and free for each endpoint, up to `limit`: first attempts before retries, the longest due first. */
export async function dueDeliveries(
  db: Queryable,
  endpointKeys: readonly string[],
  now: Date,
  limit: number,
): Promise<DueLane[]> {
  return queryRows<DueLane>(db, {
    name: "deliveries-due",
    text: DUE_OF,
    values: [endpointKeys, now, limit],
  });
}

/** Steps from endpoint to endpoint through the index of what waits, so that one's backlog hides no other. */
const OVERDUE = `with recursive lanes as (
    (select d.endpoint_key, d.account_id from webhooks.deliveries d
      where d.status in ('pending', 'retrying') order by d.endpoint_key limit 1)
    union all
    select n.endpoint_key, n.account_id from lanes l cross join lateral (
      select d.endpoint_key, d.account_id from webhooks.deliveries d
      where d.status in ('pending', 'retrying') and d.endpoint_key > l.endpoint_key
      order by d.endpoint_key limit 1
    ) n
  )
  select l.endpoint_key from lanes l
  join accounts.accounts a on a.id = l.account_id and a.status = 'active'
  where exists (
    select from webhooks.deliveries d
    where d.endpoint_key = l.endpoint_key and d.status in ('pending', 'retrying') and d.priority in (0, 1, 2)
      and d.next_attempt_at <= $1 and ${FREE}
  )`;

/** Endpoints of active accounts for which something has been due since before `dueBefore` and nobody holds it. */
export async function overdueEndpoints(
  db: Queryable,
  dueBefore: Date,
  now: Date,
): Promise<string[]> {
  const rows = await queryRows<{ endpoint_key: string }>(db, {
    name: "endpoints-overdue",
    text: OVERDUE,
    values: [dueBefore, now],
  });
  return rows.map((row) => row.endpoint_key);
}

const OLDEST = `select min(d.next_attempt_at) as due from webhooks.deliveries d
  where d.status in ('pending', 'retrying')`;

/** Since when the oldest attempt that was not made has been due; null where none waits. */
export async function oldestDue(db: Queryable): Promise<Date | null> {
  const [row] = await queryRows<{ due: Date | null }>(db, { text: OLDEST });
  return row?.due ?? null;
}
