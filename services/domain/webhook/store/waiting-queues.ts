/**
 * A recursive `queues` (endpoint_key, account_id) of all endpoint queues with waiting deliveries. It steps from endpoint
 * to endpoint through the index of waiting deliveries, so that a long backlog does not slow down the others.
 */
export const WAITING_QUEUES = `queues as (
    (select d.endpoint_key, d.account_id from webhooks.deliveries d
      where d.status in ('pending', 'retrying') order by d.endpoint_key limit 1)
    union all
    select n.endpoint_key, n.account_id from queues l cross join lateral (
      select d.endpoint_key, d.account_id from webhooks.deliveries d
      where d.status in ('pending', 'retrying') and d.endpoint_key > l.endpoint_key
      order by d.endpoint_key limit 1
    ) n
  )`;
