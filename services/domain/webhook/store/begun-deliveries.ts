import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** From the database's now; longer than any attempt and the writing of its result. */
export const LEASE = "interval '30 seconds'";
/** The number of the claim that a delivery is created with. */
export const BEGUN_CLAIM = 1;
/** The most that one statement keeps. */
export const KEPT_AT_ONCE = 500;
/** A first attempt that takes longer is shown while it lasts. */
const LONG = "interval '1 second'";

/** The columns of `webhooks.deliveries` whose values a begun delivery has. */
export const BEGUN_COLUMNS = `id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
  endpoint_id, endpoint_key, order_id, url, traceparent, attempt_count, claim_no, claimed_at`;

/**
 * SQL: a table of what is read of every delivery, with those that are begun, which lie in a table of their own. It is for
 * a delivery by its id and for those of an event: in lists, begun ones would cost every page a look at all of them.
 */
export const EVERY_DELIVERY = `(
    select s.id, s.created_at, s.account_id, s.event_id, s.event_type, s.event_at, s.endpoint_id, s.order_id, s.url,
      s.status, s.trigger, s.attempt_count, s.lease_until, s.next_attempt_at, s.completed_at, s.attempt_log, s.test_body
    from webhooks.deliveries s
    union all
    select b.id, b.created_at, b.account_id, b.event_id, b.event_type, b.created_at, b.endpoint_id, b.order_id, b.url,
      'pending', 'event', 1, b.lease_until, b.claimed_at, null, '[]'::jsonb, null
    from webhooks.begun_deliveries b
  )`;

/** SQL: those values, from the row of `webhooks.begun_deliveries` with this name. */
export function begunValues(begun: string): string {
  const b = begun;
  return `${b}.id, ${b}.created_at, ${b}.account_id, ${b}.event_id, ${b}.event_type, ${b}.created_at, ${b}.event_id,
  'event', ${b}.endpoint_id, ${b}.endpoint_id, ${b}.order_id, ${b}.url, ${b}.traceparent, 1, ${BEGUN_CLAIM},
  ${b}.claimed_at`;
}

/** Puts the begun deliveries that `wanted` selects (id) among all others, under the same claims and leases. */
function keeping(wanted: string): string {
  return `with wanted as materialized (${wanted}), begun as (
    delete from webhooks.begun_deliveries b using wanted w where b.id = w.id returning b.*
  ), kept as (
    insert into webhooks.deliveries (${BEGUN_COLUMNS}, status, next_attempt_at, lease_until)
    select ${begunValues("b")}, 'pending', b.claimed_at, b.lease_until from begun b
    returning id
  )
  select count(*) as kept from kept`;
}

/** A lease from the future was given before the database's clock was set back. */
const KEEP_LONG = keeping(`select b.id from webhooks.begun_deliveries b
  where b.lease_until not between clock_timestamp() + ${LEASE} - ${LONG} and clock_timestamp() + ${LEASE}
  order by b.id limit ${KEPT_AT_ONCE} for update skip locked`);

/**
 * Keeps deliveries of any process that were begun more than a second ago, so that they are listed while their attempts
 * last, and are claimed again where their process ended. Returns how many.
 */
export async function keepLongBegun(db: Queryable): Promise<number> {
  const [row] = await queryRows<{ kept: number }>(db, { name: "begun-keep-long", text: KEEP_LONG });
  return row?.kept ?? 0;
}

const KEEP = keeping("select u.id from unnest($1::uuid[]) u (id)");

/** Keeps those of the claimed deliveries that were begun, so that their claims can be undone as any others. */
export async function keepBegun(
  db: Queryable,
  claims: readonly { readonly id: string; readonly claim_no: number }[],
): Promise<void> {
  const first = claims.filter((claim) => claim.claim_no === BEGUN_CLAIM);
  if (first.length === 0) return;
  await queryRows(db, { text: KEEP, values: [first.map(({ id }) => id)] });
}

/** Keeps those to an endpoint whose sender ended in their attempts. */
export async function keepEndedAt(db: Queryable, endpointId: string, now: Date): Promise<void> {
  await queryRows(db, {
    name: "begun-keep-ended",
    text: "select webhooks.keep_ended_at($1, $2)",
    values: [endpointId, now],
  });
}
