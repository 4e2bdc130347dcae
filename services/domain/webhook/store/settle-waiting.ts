import { queryRows, type Queryable, type Statement } from "../../../platform/db/transaction.ts";
import { loggedInterruption } from "./deliveries.ts";
import { by, isWaiting, statusAfter, WAITING_QUEUES } from "./delivery-status.ts";
import { PAUSED_KEYS } from "./delivery-targets.ts";

/** Maximum rows per statement, because a backlog may be too large to change while a request waits. */
export const SETTLED_AT_ONCE = 10_000;

/**
 * An update that settles the first 10,000 waiting deliveries of the endpoints in the `with` expression `changed` (id) at
 * the SQL time `now`. An attempt in progress is finished, and its result settles its delivery. Further deliveries are
 * left to `settleLeft`; they cannot be claimed in the meantime.
 */
export function settleWaiting(
  trigger: "endpoint_paused" | "endpoint_deleted",
  now: string,
): string {
  const changed = trigger === "endpoint_paused" ? `(${PAUSED_KEYS})` : "changed";
  return settleSome(by(trigger), now, OF_ENDPOINT, changed);
}

/**
 * A condition that the planner makes no estimate of. Where it expects that hardly any delivery waits, it would compare
 * each of those that do with each that was chosen, instead of looking these up by their key.
 */
function unplanned(condition: string): string {
  return `coalesce(${condition}, false)`;
}

const OF_ENDPOINT = "w.endpoint_key = c.id";

function settleSome(
  trigger: string,
  now: string,
  chosen = OF_ENDPOINT,
  changed = "changed",
): string {
  return `update webhooks.deliveries d set status = w.verdict, completed_at = ${now}, next_attempt_at = null,
      lease_until = null, attempt_log = ${loggedInterruption("d")}
    from (
      select w.id, w.created_at, ${statusAfter("w.status", trigger)} as verdict
      from ${changed} c join webhooks.deliveries w on ${chosen}
      where ${isWaiting("w")} and (w.lease_until is null or w.lease_until <= ${now})
      limit ${SETTLED_AT_ONCE}
    ) w
    where d.id = w.id and d.created_at = w.created_at
      and ${unplanned(`${isWaiting("d")} and (d.lease_until is null or d.lease_until <= ${now})`)}`;
}

/** The end of a statement that settles some deliveries and returns how many. */
function settleAndCount(trigger: string, now: string, chosen?: string, changed?: string): string {
  return `settled as (${settleSome(trigger, now, chosen, changed)} returning d.id) select count(*) as settled from settled`;
}

async function countSettled(db: Queryable, statement: Statement): Promise<number> {
  const [row] = await queryRows<{ settled: number }>(db, statement);
  return row?.settled ?? 0;
}

const SKIP = `with changed as (select $1::uuid as id), ${settleAndCount(by("endpoint_paused"), "$2::timestamptz", OF_ENDPOINT, `(${PAUSED_KEYS})`)}`;

/** Skips all waiting deliveries of an endpoint, and of own URLs that equal its. Call within the transaction that has locked the endpoint. */
export async function skipAllWaiting(tx: Queryable, endpointId: string, now: Date): Promise<void> {
  const statement = { name: "deliveries-skip", text: SKIP, values: [endpointId, now] };
  while ((await countSettled(tx, statement)) === SETTLED_AT_ONCE);
}

/** Locks the endpoints, so that resuming one waits until its deliveries are settled. */
const SETTLE_LEFT = `with recursive ${WAITING_QUEUES}, changed as materialized (
    select e.id, e.deleted_at from webhooks.endpoints e
    where e.id in (select endpoint_key from queues) and (not e.active or e.deleted_at is not null)
    for share of e skip locked
  ), ${settleAndCount(`case when c.deleted_at is null then ${by("endpoint_paused")} else ${by("endpoint_deleted")} end`, "$1::timestamptz")}`;

/** Settles some of the deliveries that still wait for paused or deleted endpoints. Returns how many. */
export async function settleLeft(db: Queryable, now: Date): Promise<number> {
  return countSettled(db, { name: "deliveries-settle-left", text: SETTLE_LEFT, values: [now] });
}

/** Chooses the waiting deliveries of a recovery; a retry by hand is none of its doing. */
const OF_RECOVERY =
  "w.endpoint_key = c.endpoint_id and w.cause_id = c.id and w.priority = 2 and not w.by_hand";

const CANCEL = `with changed as (select $1::uuid as id, $2::uuid as endpoint_id)
  ${settleSome(by("recovery_cancelled"), "$3::timestamptz", OF_RECOVERY)}`;

/** Cancels the first 10,000 waiting deliveries of a cancelled recovery, and leaves further ones to `cancelLeft`. */
export async function cancelWaiting(
  tx: Queryable,
  { id, endpointId }: { readonly id: string; readonly endpointId: string },
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
  ), ${settleAndCount(by("recovery_cancelled"), "$1::timestamptz", OF_RECOVERY)}`;

/**
 * Cancels some of the deliveries that still wait of recoveries that were cancelled within the last hour; what is left of
 * others is cancelled when it is due. Returns how many.
 */
export async function cancelLeft(db: Queryable, now: Date): Promise<number> {
  return countSettled(db, { name: "deliveries-cancel-left", text: CANCEL_LEFT, values: [now] });
}
