import { statusesThatEnd } from "../rules/delivery.ts";
import { hasStatus } from "./delivery-status.ts";
/** The consumer that creates deliveries of events; an event that it has not consumed yet is not missing. */
export const FAN_OUT_CONSUMER = "webhook-sender";

/** How far clocks may differ: an event's time comes from a process, that of its delivery from the database. */
const CLOCK_SKEW = "interval '1 day'";

/** The event columns that `recoverableOf` needs, from `events.log l`. */
export const RECOVERABLE_COLUMNS = `l.id, l.account_id, l.type, l.order_id, l.created_at as at, l.seq,
  ${portOutOf("l")} as port_out_id`;

interface RecoverableParts {
  /** The name of the expression with the events. */
  readonly events: string;
  /** SQL for the endpoint's id and the mode. */
  readonly endpointId: string;
  readonly mode: string;
}

/**
 * The expression `recoverable` of a `with` list: the events to send to an endpoint again. Mode `failed` selects events
 * that failed there and neither succeeded nor are waiting; `missing`, matching events that have no delivery, as
 * far back as deliveries are kept; `all`, every matching event.
 */
export function recoverableOf({ events, endpointId, mode }: RecoverableParts): string {
  return `recoverable as materialized (
    select v.id, v.account_id, v.type, v.order_id, v.at, v.seq, e.url
    from ${events} v
    join webhooks.endpoints e on e.id = ${endpointId}
    left join lateral (
      select bool_or(${hasStatus("d", statusesThatEnd("given_up"))}) as failed,
        bool_or(${hasStatus("d", statusesThatEnd("received", null))}) as handled
      from webhooks.deliveries d
      where d.event_id = v.id and d.endpoint_key = e.id and d.created_at >= v.at - ${CLOCK_SKEW} and ${mode} <> 'all'
    ) s on true
    where exists (
        select from messaging.inbox i where i.message_id = v.id and i.consumer = '${FAN_OUT_CONSUMER}'
      ) and case ${mode}
        when 'failed' then s.failed and not s.handled
        when 'missing' then not coalesce(s.failed or s.handled, false) and ${matches("v", "e")}
        else ${matches("v", "e")} end
      and (${mode} <> 'missing' or v.at >= (select dropped_before from webhooks.delivery_retention))
  )`;
}

/** So many deliveries of an account share a millisecond: their places take the 12 bits of an id behind its time. */
const OF_A_MILLISECOND = 4_096;

/**
 * Expressions of a `with` list: `timed` has the rows of `made` (account_id), which are about to become deliveries, with
 * their `delivery_id` and `created_at`. An account's ids are in the order in which its deliveries become visible, and
 * within a statement in the given one: a list that is followed by its cursor misses none. What makes others for the
 * account waits for the end of this transaction: call it late in one.
 */
export function timed(made: string, order: string): string {
  return `placed as materialized (
    select m.*, row_number() over (partition by m.account_id order by ${order}) - 1 as place from ${made} m
  ), times as materialized (
    select t.account_id, t.at as first_at from (
      select array_agg(c.account_id) as accounts, array_agg(c.made) as counts
      from (select p.account_id, count(*) as made from placed p group by p.account_id) c
    ) a cross join lateral webhooks.next_delivery_times(a.accounts, a.counts) t
  ), timed as materialized (
    select p.*, a.created_at, ${idAt("a.created_at", `p.place % ${OF_A_MILLISECOND}`)} as delivery_id
    from placed p join times t using (account_id) cross join lateral (
      select t.first_at + (p.place / ${OF_A_MILLISECOND}) * interval '1 millisecond' as created_at
    ) a
  )`;
}

/** A version 7 UUID of the time, with the place in the bits that follow it. */
function idAt(time: string, place: string): string {
  const version = 0x7000;
  return `encode(overlay(uuid_send(messaging.uuid_at(${time}))
      placing substring(int4send((${version} + ${place})::integer) from 3) from 7 for 2), 'hex')::uuid`;
}

/** SQL for the port-out that an event of several orders' numbers, or of none's, is about; null for every other event. */
export function portOutOf(event: string): string {
  return `case when ${event}.order_id is null and ${event}.type like 'port_out.%'
    and pg_input_is_valid(${event}.sequence_key, 'uuid') then ${event}.sequence_key::uuid end`;
}

/** SQL for the URL of a row that has one, in the form in which URLs are compared. */
function hrefOf(row: string): string {
  return `coalesce(${row}.href, ${row}.url)`;
}

/** SQL for the endpoint key of deliveries to an order's own URL: a hash of account and URL, as a version 8 UUID. */
function ownKey(account: string, href: string): string {
  return `overlay(overlay(
    encode(substr(sha256(convert_to(${account} || ' ' || ${href}, 'UTF8')), 1, 16), 'hex')
    placing '8' from 13) placing 'a' from 17)::uuid`;
}

/**
 * A `select` of the endpoint `s` of an account that has a URL, given as SQL of that form: its secret signs what goes to that
 * URL by an order, and while it is paused nothing does. Where several have it, the first that is active.
 */
function endpointAt(account: string, href: string, columns = "s.*"): string {
  return `select ${columns} from webhooks.endpoints s
    where s.account_id = ${account} and s.deleted_at is null and ${hrefOf("s")} = ${href}
    order by s.active desc, s.id limit 1`;
}

/** The same for a delivery to the own URL of the order of the destination `o`; none for one to an endpoint. */
export function endpointAtOwn(delivery: string, o: string, columns?: string): string {
  const account = `case when ${delivery}.endpoint_id is null then ${delivery}.account_id end`;
  return endpointAt(account, `coalesce(${hrefOf(o)}, ${delivery}.url)`, columns);
}

/**
 * The endpoint keys, as `id`, of what waits for endpoints of the `with` expression `changed` (id) and for the own URLs of
 * orders that equal theirs, unless another active endpoint has that URL too.
 */
export const PAUSED_KEYS = `select c.id from changed c
  union all
  select ${ownKey("e.account_id", hrefOf("e"))} from changed c join webhooks.endpoints e on e.id = c.id
  where not exists (
    select from webhooks.endpoints s where s.account_id = e.account_id and s.id <> e.id and s.deleted_at is null
      and s.active and ${hrefOf("s")} = ${hrefOf("e")}
  )`;

/** A `from` clause: the numbers `n` of an event's port-out, each with the URL `o`, if any, of the order that brought it in. */
function destinationsOf(event: string): string {
  return `orders.port_out_numbers n left join webhooks.order_destinations o
    on o.order_id = n.porting_order_id and o.account_id = ${event}.account_id
    where n.port_out_id = ${event}.port_out_id`;
}

/**
 * Two expressions of a `with` list: `targets` has one row per event of `source` and matching endpoint, paused ones
 * included. `source` has the columns id, account_id, type, order_id, port_out_id (of `portOutOf`) and at. An order's own
 * URL replaces all endpoints; `target_order_id` is the order whose URL it is, else that of the event. The
 * `endpoint_id` of an own URL is null: whether an endpoint with the same URL provides the secret is looked up at each attempt.
 */
export function targetsOf(source: string): string {
  return `directed as materialized (
    select i.*, i.order_id as target_order_id, o.url as own_url, ${hrefOf("o")} as own_href from ${source} i
    left join webhooks.order_destinations o on o.order_id = i.order_id and o.account_id = i.account_id
    where i.port_out_id is null
    union all
    select i.*, o.order_id, o.url, o.href from ${source} i
    left join lateral (
      select distinct on (href) o.order_id, o.url, ${hrefOf("o")} as href
      from ${destinationsOf("i")} order by href, o.order_id
    ) o on true
    where i.port_out_id is not null
  ), targets as (
    select d.*, e.id as endpoint_id, e.id as endpoint_key, e.url, e.active
    from directed d join webhooks.endpoints e on e.account_id = d.account_id and e.deleted_at is null
      and (e.enabled_events = '{}' or d.type = any (e.enabled_events))
    where d.own_url is null
    union all
    select d.*, null, ${ownKey("d.account_id", "d.own_href")}, d.own_url,
      coalesce((${endpointAt("d.account_id", "d.own_href", "s.active")}), true)
    from directed d where d.own_url is not null
  )`;
}

/** SQL for whether an event, with the columns that `targetsOf` needs, currently goes to an endpoint of its account. */
function matches(event: string, endpoint: string): string {
  return `((${endpoint}.enabled_events = '{}' or ${event}.type = any (${endpoint}.enabled_events))
    and not case when ${event}.port_out_id is null then exists (
        select from webhooks.order_destinations o
        where o.order_id = ${event}.order_id and o.account_id = ${event}.account_id
      ) else coalesce((select bool_and(o.url is not null) from ${destinationsOf(event)}), false) end)`;
}

/** SQL for whether a delivery went to an order's own URL, which was removed: its order has none of `destination`. */
export function isUndirected(delivery: string, destination: string): string {
  const d = delivery;
  return `(${d}.endpoint_id is null and ${d}.order_id is not null and ${d}.test_body is null
    and ${destination}.order_id is null)`;
}
