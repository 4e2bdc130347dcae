/** SQL for the port-out that an event of several orders' numbers, or of none's, is about; null for every other event. */
export function portOutOf(event: string): string {
  return `case when ${event}.order_id is null and ${event}.type like 'port_out.%'
    and pg_input_is_valid(${event}.sequence_key, 'uuid') then ${event}.sequence_key::uuid end`;
}

/** A `from` clause: the numbers `n` of an event's port-out, each with the URL `o`, if any, of the order that brought it in. */
function destinationsOf(event: string): string {
  return `orders.port_out_numbers n left join webhooks.order_destinations o
    on o.order_id = n.porting_order_id and o.account_id = ${event}.account_id
    where n.port_out_id = ${event}.port_out_id`;
}

/**
 * Two expressions of a `with` list: `targets` has one row per event of `source` and matching endpoint, paused ones
 * included. `source` has the columns id, account_id, type, order_id, port_out_id (of `portOutOf`) and at. An order's own
 * URL replaces all endpoints; `target_order_id` is the order whose URL it is, else that of the event. The endpoint key of
 * an own URL is a hash of account and URL, as a version 8 UUID, and its `endpoint_id` is null: whether an endpoint with
 * the same URL provides the secret is looked up at each attempt.
 */
export function targetsOf(source: string): string {
  return `directed as materialized (
    select i.*, i.order_id as target_order_id, o.url as own_url from ${source} i
    left join webhooks.order_destinations o on o.order_id = i.order_id and o.account_id = i.account_id
    where i.port_out_id is null
    union all
    select i.*, o.order_id, o.url from ${source} i
    left join lateral (
      select distinct on (o.url) o.order_id, o.url from ${destinationsOf("i")} order by o.url, o.order_id
    ) o on true
    where i.port_out_id is not null
  ), targets as (
    select d.*, e.id as endpoint_id, e.id as endpoint_key, e.url, e.active
    from directed d join webhooks.endpoints e on e.account_id = d.account_id and e.deleted_at is null
      and (e.enabled_events = '{}' or d.type = any (e.enabled_events))
    where d.own_url is null
    union all
    select d.*, null,
      overlay(overlay(
        encode(substr(sha256(convert_to(d.account_id || ' ' || d.own_url, 'UTF8')), 1, 16), 'hex')
        placing '8' from 13) placing 'a' from 17)::uuid,
      d.own_url, true
    from directed d where d.own_url is not null
  )`;
}

/** SQL for whether an event, with the columns that `targetsOf` needs, currently goes to an endpoint of its account. */
export function matches(event: string, endpoint: string): string {
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
