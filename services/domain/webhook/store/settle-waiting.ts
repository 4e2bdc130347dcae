import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { loggedInterruption } from "./logged-interruption.ts";
import { WAITING_QUEUES } from "./waiting-queues.ts";

/** Maximum rows per statement, because a backlog may be too large to change while a request waits. */
export const SETTLED_AT_ONCE = 10_000;

/**
 * An update that settles the first 10,000 waiting deliveries of the endpoints in the `with` expression `changed` (id) at
 * the SQL time `now`. An attempt in progress is finished, and its result settles its delivery. Further deliveries are
 * left to `settleLeft`; they cannot be claimed in the meantime.
 */
export function settleWaiting(status: "skipped" | "cancelled", now: string): string {
  return settleSome(`'${status}'`, now);
}

/**
 * A condition that the planner makes no estimate of. Where it expects that hardly any delivery waits, it would compare
 * each of those that do with each that was chosen, instead of looking these up by their key.
 */
function unplanned(condition: string): string {
  return `coalesce(${condition}, false)`;
}

function settleSome(status: string, now: string, chosen = "w.endpoint_key = c.id"): string {
  return `update webhooks.deliveries d set status = w.verdict, completed_at = ${now}, next_attempt_at = null,
      lease_until = null, attempt_log = ${loggedInterruption("d")}
    from (
      select w.id, w.created_at, ${status} as verdict from changed c join webhooks.deliveries w on ${chosen}
      where w.status in ('pending', 'retrying') and (w.lease_until is null or w.lease_until <= ${now})
      limit ${SETTLED_AT_ONCE}
    ) w
    where d.id = w.id and d.created_at = w.created_at
      and ${unplanned(`d.status in ('pending', 'retrying') and (d.lease_until is null or d.lease_until <= ${now})`)}`;
}

const SKIP = `with changed as (select $1::uuid as id), skipped as (${settleSome("'skipped'", "$2::timestamptz")} returning d.id)
  select count(*) as settled from skipped`;

/** Skips all waiting deliveries of an endpoint. Call within the transaction that has locked the endpoint. */
export async function skipAllWaiting(tx: Queryable, endpointId: string, now: Date): Promise<void> {
  for (;;) {
    const [row] = await queryRows<{ settled: number }>(tx, {
      name: "deliveries-skip",
      text: SKIP,
      values: [endpointId, now],
    });
    if ((row?.settled ?? 0) < SETTLED_AT_ONCE) return;
  }
}

/** Locks the endpoints, so that resuming one waits until its deliveries are settled. */
const SETTLE_LEFT = `with recursive ${WAITING_QUEUES}, changed as materialized (
    select e.id, e.deleted_at from webhooks.endpoints e
    where e.id in (select endpoint_key from queues) and (not e.active or e.deleted_at is not null)
    for share of e skip locked
  ), settled as (${settleSome(
    "case when c.deleted_at is null then 'skipped' else 'cancelled' end",
    "$1::timestamptz",
  )} returning d.id)
  select count(*) as settled from settled`;

/** Settles some of the deliveries that still wait for paused or deleted endpoints. Returns how many. */
export async function settleLeft(db: Queryable, now: Date): Promise<number> {
  const [row] = await queryRows<{ settled: number }>(db, {
    name: "deliveries-settle-left",
    text: SETTLE_LEFT,
    values: [now],
  });
  return row?.settled ?? 0;
}

/** Chooses the waiting deliveries of a recovery; a retry by hand is none of its doing. */
const OF_RECOVERY =
  "w.endpoint_key = c.endpoint_id and w.cause_id = c.id and w.priority = 2 and not w.by_hand";

const CANCEL = `with changed as (select $1::uuid as id, $2::uuid as endpoint_id)
  ${settleSome("'cancelled'", "$3::timestamptz", OF_RECOVERY)}`;

export interface CancelledRecovery {
  readonly id: string;
  readonly endpointId: string;
}

/** Cancels the first 10,000 waiting deliveries of a cancelled recovery, and leaves further ones to `cancelLeft`. */
export async function cancelWaiting(
  tx: Queryable,
  { id, endpointId }: CancelledRecovery,
  now: Date,
): Promise<void> {
  await queryRows(tx, {
    name: "recovery-cancel-waiting",
    text: CANCEL,
    values: [id, endpointId, now],
  });
}

/** Locks the recoveries, so that one process at a time cancels the deliveries of each. */
const CANCEL_LEFT = `with recursive ${WAITING_QUEUES}, changed as materialized (
    select r.id, r.endpoint_id from webhooks.recoveries r
    join webhooks.endpoints e on e.id = r.endpoint_id and e.active and e.deleted_at is null
    where r.endpoint_id in (select endpoint_key from queues) and r.status = 'cancelled'
      and r.completed_at > $1::timestamptz - interval '1 hour'
    for update of r skip locked
  ), settled as (${settleSome("'cancelled'", "$1::timestamptz", OF_RECOVERY)} returning d.id)
  select count(*) as settled from settled`;

/**
 * Cancels some of the deliveries that still wait of recoveries that were cancelled within the last hour; what is left of
 * others is cancelled when it is due. Returns how many.
 */
export async function cancelLeft(db: Queryable, now: Date): Promise<number> {
  const [row] = await queryRows<{ settled: number }>(db, {
    name: "deliveries-cancel-left",
    text: CANCEL_LEFT,
    values: [now],
  });
  return row?.settled ?? 0;
}
