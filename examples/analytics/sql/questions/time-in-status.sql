-- How long the orders that left a status since a time ($1) had been in it, all their stays together. Rows without a
-- carrier and country are those of all orders.
select losing_carrier, country_code, status, count(*)::integer as orders,
  (percentile_cont(0.5) within group (order by seconds))::float8 as median_seconds,
  (percentile_cont(0.9) within group (order by seconds))::float8 as p90_seconds
from (
  select s.order_id, s.to_status as status, sum(s.seconds) as seconds, o.country_code,
    coalesce(o.losing_carrier, 'unknown') as losing_carrier
  from analytics.order_steps s
  join analytics.orders o using (order_id)
  group by s.order_id, s.to_status, o.country_code, coalesce(o.losing_carrier, 'unknown')
  having bool_and(s.left_at is not null) and max(s.left_at) >= $1::timestamptz
) stays
group by grouping sets ((losing_carrier, country_code, status), (status))
order by losing_carrier, country_code, status;
