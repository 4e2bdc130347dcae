import { endpointAtOwn, isUndirected } from "../../domain/webhook/store/delivery-targets.ts";
import { by, isOpen, statusAfter } from "../../domain/webhook/store/delivery-status.ts";
import { loggedInterruption } from "../../domain/webhook/store/deliveries.ts";
import type { EventType } from "../../messages/events.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { Priority } from "../queue/endpoint-queue.ts";

/** From the database's now; longer than any attempt and the writing of its result. */
export const LEASE = "interval '30 seconds'";

/**
 * SQL: whether a recovery created this delivery and has since been cancelled. A manually retried delivery
 * is exempt: its recovery may have ended with a pause long ago.
 */
export function isCancelled(delivery: string): string {
  return `${delivery}.trigger = 'recover' and not ${delivery}.by_hand and exists (
    select from webhooks.recoveries r where r.id = ${delivery}.cause_id and r.status = 'cancelled'
  )`;
}

/** A delivery that only this process may attempt until its lease ends, with everything an attempt needs. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly account_id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly event_at: Date;
  readonly endpoint_key: string;
  readonly claim_no: number;
  readonly attempt_count: number;
  readonly by_hand: boolean;
  readonly priority: Priority;
  /** Of the event's message; null where its trace is not sampled. */
  readonly traceparent: string | null;
  /** The endpoint's rate limit; null if it has none. */
  readonly max_per_second: number | null;
  readonly url: string;
  readonly body: Buffer;
  /** The endpoint or account that owns the secret; null if the account has none yet. */
  readonly secret_owner: string | null;
  readonly signing_secret: Buffer | null;
  readonly secret_key_id: string | null;
  readonly previous_secret: Buffer | null;
  readonly previous_secret_key_id: string | null;
}

/**
 * Claims due and free deliveries; those of suspended accounts stay, those of deleted or paused endpoints, and of own URLs that equal these, end
 * here, as do those of an order whose own URL was removed, and those whose interrupted attempt began before a pause that is over: both times are read from the
 * database's clock by the statements that write them, so that a claim that follows a resumption is never the earlier.
 * A lease that expired without a result is logged as interrupted, and its attempt is not counted again.
 * The subquery hides the number of ids, so that one generic plan serves every claim.
 */
const CLAIM = `with wanted as materialized (
    select d.id, d.created_at, d.status, d.account_id, d.event_id, d.event_at, d.endpoint_id, d.order_id, d.url, d.test_body,
      d.trigger, d.cause_id, d.by_hand,
      case when d.lease_until is not null then d.claimed_at end as interrupted_since
    from unnest((select $1::uuid[])) u (id)
    join webhooks.deliveries d on d.id = u.id and d.created_at = messaging.time_of(u.id)
    where ${isOpen("d")} and d.next_attempt_at <= $2
      and (d.lease_until is null or d.lease_until <= $2)
    for update of d skip locked
  ), judged as (
    select w.id, w.created_at, coalesce(e.url, o.url, w.url) as url, e.max_per_second,
      coalesce(w.test_body, (
        select l.body from events.log l where l.id = w.event_id and l.created_at = w.event_at
      )) as body,
      ${statusAfter(
        "w.status",
        `case when e.deleted_at is not null then ${by("endpoint_deleted")}
        when ${isUndirected("w", "o")} then ${by("url_removed")}
        when not coalesce(e.active, s.active) or coalesce(e.resumed_at, s.resumed_at) > w.interrupted_since
          then ${by("endpoint_paused")}
        when ${isCancelled("w")} then ${by("recovery_cancelled")} end`,
      )} as verdict,
      coalesce(e.id, s.id, k.account_id) as secret_owner,
      coalesce(e.signing_secret, s.signing_secret, k.signing_secret) as signing_secret,
      coalesce(e.secret_key_id, s.secret_key_id, k.secret_key_id) as secret_key_id,
      coalesce(e.previous_secret, s.previous_secret, k.previous_secret) as previous_secret,
      coalesce(e.previous_secret_key_id, s.previous_secret_key_id, k.previous_secret_key_id) as previous_secret_key_id,
      coalesce(e.previous_secret_expires_at, s.previous_secret_expires_at, k.previous_secret_expires_at) > $2 as overlaps
    from wanted w
    join accounts.accounts a on a.id = w.account_id and a.status = 'active'
    left join webhooks.endpoints e on e.id = w.endpoint_id
    left join webhooks.order_destinations o on w.endpoint_id is null and o.order_id = w.order_id
    left join lateral (
      ${endpointAtOwn("w", "o")}
    ) s on true
    left join webhooks.account_secrets k
      on w.endpoint_id is null and s.id is null and k.account_id = w.account_id
  ), claimed as (
    update webhooks.deliveries d set
      status = coalesce(j.verdict, d.status),
      url = j.url,
      attempt_count = d.attempt_count
        + case when j.verdict is null and d.lease_until is null then 1 else 0 end,
      claim_no = d.claim_no + 1,
      claimed_at = clock_timestamp(),
      lease_until = case when j.verdict is null then now() + ${LEASE} end,
      next_attempt_at = case when j.verdict is null then d.next_attempt_at end,
      completed_at = case when j.verdict is null then null else $2::timestamptz end,
      attempt_log = ${loggedInterruption("d")}
    from judged j where d.id = j.id and d.created_at = j.created_at
    returning d.id, d.account_id, d.event_id, d.event_type, d.event_at, d.endpoint_key, d.claim_no,
      d.attempt_count, d.by_hand, d.priority, d.traceparent, j.max_per_second, j.url, j.body, j.verdict, j.secret_owner, j.signing_secret,
      j.secret_key_id, j.overlaps, j.previous_secret, j.previous_secret_key_id
  )
  select c.id, c.account_id, c.event_id, c.event_type, c.event_at, c.endpoint_key, c.claim_no, c.attempt_count,
    c.by_hand, c.priority, c.traceparent, c.max_per_second, c.url, c.body, c.secret_owner, c.signing_secret, c.secret_key_id,
    case when c.overlaps then c.previous_secret end as previous_secret,
    case when c.overlaps then c.previous_secret_key_id end as previous_secret_key_id
  from claimed c where c.verdict is null`;

/** Claims those of the deliveries that are due, free and not cancelled. */
export async function claimDeliveries(
  db: Queryable,
  ids: readonly string[],
  now: Date,
): Promise<ClaimedDelivery[]> {
  return queryRows<ClaimedDelivery>(db, {
    name: "deliveries-claim",
    text: CLAIM,
    values: [ids, now],
  });
}

const GIVE_BACK = `update webhooks.deliveries d set lease_until = $3
  from unnest($1::uuid[], $2::integer[]) u (id, claim_no)
  where d.id = u.id and d.created_at = messaging.time_of(u.id) and d.claim_no = u.claim_no
    and d.lease_until > $3`;

/** Ends leases now: the next claim logs the interruption and tries again. */
export async function giveBack(
  db: Queryable,
  claims: readonly Pick<ClaimedDelivery, "id" | "claim_no">[],
  now: Date,
): Promise<void> {
  await queryRows(db, {
    text: GIVE_BACK,
    values: [claims.map((claim) => claim.id), claims.map((claim) => claim.claim_no), now],
  });
}

const PUT_BACK = `with unsent as materialized (
    select d.id, d.created_at, coalesce(e.resumed_at > d.claimed_at, false) as was_paused
    from unnest($1::uuid[], $2::integer[]) u (id, claim_no)
    join webhooks.deliveries d on d.id = u.id and d.created_at = messaging.time_of(u.id)
      and d.claim_no = u.claim_no and d.lease_until is not null
    left join webhooks.endpoints e on e.id = d.endpoint_id
    for update of d
  )
  update webhooks.deliveries d set lease_until = null, attempt_count = d.attempt_count - 1,
    status = case when u.was_paused then ${statusAfter("d.status", by("endpoint_paused"))} else d.status end,
    next_attempt_at = case when not u.was_paused then d.next_attempt_at end,
    completed_at = case when u.was_paused then clock_timestamp() end
  from unsent u where d.id = u.id and d.created_at = u.created_at`;

/** Undoes claims under which no attempt was made; skips those that a pause, which is over, would have skipped. */
export async function putBack(
  db: Queryable,
  claims: readonly Pick<ClaimedDelivery, "id" | "claim_no">[],
): Promise<void> {
  await queryRows(db, {
    text: PUT_BACK,
    values: [claims.map((claim) => claim.id), claims.map((claim) => claim.claim_no)],
  });
}
