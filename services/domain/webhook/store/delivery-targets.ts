/**
 * Two expressions of a `with` list: `targets` has one row per event of `source` and matching endpoint, paused ones
 * included. `source` has the columns id, account_id, type, order_id, at and overrides (whether an order's own URL
 * replaces all endpoints). The endpoint key of an own URL is a hash of account and URL, as a version 8 UUID, and its
 * `endpoint_id` is null: whether an endpoint with the same URL provides the secret is looked up at each attempt.
 */
export function targetsOf(source: string): string {
  return `directed as materialized (
    select i.*, o.url as own_url from ${source} i
    left join webhooks.order_destinations o
      on i.overrides and o.order_id = i.order_id and o.account_id = i.account_id
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
    and not (${event}.overrides and exists (
      select from webhooks.order_destinations o
      where o.order_id = ${event}.order_id and o.account_id = ${event}.account_id
    )))`;
}

/** SQL for whether a delivery went to an order's own URL, which was removed: its order has none of `destination`. */
export function isUndirected(delivery: string, destination: string): string {
  const d = delivery;
  return `(${d}.endpoint_id is null and ${d}.order_id is not null and ${d}.test_body is null
    and ${destination}.order_id is null)`;
}
