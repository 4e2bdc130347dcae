import {
  RECOVERABLE_COLUMNS,
  recoverableOf,
  timed,
} from "../../domain/webhook/store/delivery-targets.ts";
import { FIRST_STATUS } from "../../domain/webhook/rules/delivery-transitions.ts";
import { isWaiting } from "../../domain/webhook/store/delivery-status.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

/**
 * Feed positions examined per step, and the due deliveries of an endpoint above which no more are
 * created.
 */
const PAGE = 500;

const RUNNING =
  "select id, endpoint_id from webhooks.recoveries where status = 'running' order by id";

export async function runningRecoveries(
  db: Queryable,
): Promise<{ id: string; endpoint_id: string }[]> {
  return queryRows(db, { name: "recoveries-running", text: RUNNING });
}

const STEP = `with job as materialized (
    select r.* from webhooks.recoveries r where r.id = $1 and r.status = 'running' and r.position < r.last_seq
    for update skip locked
  ), room as materialized (
    select count(*) < ${PAGE} as is_there from (
      select from job j join webhooks.deliveries d on d.endpoint_key = j.endpoint_id
      where d.priority = 2 and ${isWaiting("d")} and d.next_attempt_at <= $2 limit ${PAGE}
    ) due
  ), page as materialized (
    select ${RECOVERABLE_COLUMNS} from job j
    join events.log l on l.account_id = j.account_id
      and l.seq > j.position and l.seq <= least(j.position + ${PAGE}, j.last_seq)
      and l.created_at >= j.since and l.created_at < j.until
    where (select is_there from room)
  ), ${recoverableOf({
    events: "page",
    endpointId: "(select endpoint_id from job)",
    mode: "(select mode from job)",
  })}, ${timed("recoverable", "m.seq")}, made as (
    insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
      endpoint_id, endpoint_key, order_id, url, status, priority, next_attempt_at)
    select t.delivery_id, t.created_at, t.account_id, t.id, t.type, t.at, j.id, 'recover',
      j.endpoint_id, j.endpoint_id, t.order_id, t.url, '${FIRST_STATUS.active}', 2, $2::timestamptz + t.place * interval '1 microsecond'
    from timed t cross join job j
    returning id
  )
  update webhooks.recoveries r set queued = r.queued + (select count(*) from made),
    position = least(r.position + ${PAGE}, r.last_seq)
  from job j cross join room m where r.id = j.id and m.is_there
  returning (select count(*) from made) as queued`;

/**
 * Creates the next deliveries of a recovery and stores its progress, in one commit. Null if there was
 * nothing to do: all are created, too many are due, or another process is at it.
 */
export async function stepRecovery(db: Queryable, id: string, now: Date): Promise<number | null> {
  const [stepped] = await queryRows<{ queued: number }>(db, {
    name: "recovery-step",
    text: STEP,
    values: [id, now],
  });
  return stepped?.queued ?? null;
}

const SETTLE = `update webhooks.recoveries r
  set status = case when e.active and e.deleted_at is null then 'completed' else 'cancelled' end, completed_at = $1
  from webhooks.endpoints e
  where e.id = r.endpoint_id and r.status = 'running' and (
    not e.active or e.deleted_at is not null
    or r.position >= r.last_seq and not exists (
      select from webhooks.deliveries d
      where d.endpoint_key = r.endpoint_id and d.cause_id = r.id and d.priority = 2
        and ${isWaiting("d")}
    )
  )`;

/** Ends recoveries with no waiting deliveries, and those whose endpoints are paused or deleted. */
export async function settleRecoveries(db: Queryable, now: Date): Promise<void> {
  await queryRows(db, { name: "recoveries-settle", text: SETTLE, values: [now] });
}
