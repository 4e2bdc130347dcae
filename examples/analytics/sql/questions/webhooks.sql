-- Deliveries caused since a time ($1), by receiver, without those that a paused or deleted endpoint was not to get. Only
-- Postgres has them: no event tells of a delivery.
select account_id, endpoint_id, host, count(*)::integer as deliveries,
  (count(*) filter (where status = 'succeeded'))::integer as succeeded,
  (count(*) filter (where status = 'failed'))::integer as failed,
  (count(*) filter (where status in ('pending', 'retrying')))::integer as waiting,
  sum(attempts)::integer as attempts,
  (percentile_cont(0.5) within group (order by case when status = 'succeeded' then seconds end))::float8
    as median_seconds,
  (percentile_cont(0.95) within group (order by case when status = 'succeeded' then seconds end))::float8
    as p95_seconds
from analytics.webhook_deliveries
where created_at >= $1::timestamptz and trigger <> 'test' and status not in ('skipped', 'cancelled')
group by account_id, endpoint_id, host
order by deliveries desc, account_id, endpoint_id;
