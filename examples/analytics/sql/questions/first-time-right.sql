-- Of the orders that ended since a time ($1), without those that the customer or the desk closed: how many were
-- completed in full without ever being rejected.
select o.country_code, count(*)::integer as ended,
  (count(*) filter (where o.status = 'completed' and r.order_id is null))::integer as first_time_right
from analytics.orders o
left join (
  select distinct order_id from analytics.order_steps where to_status = 'rejection'
) r using (order_id)
where o.submitted_at is not null and o.ended_at >= $1::timestamptz
  and coalesce(o.closed_by, 'provider') = 'provider'
group by o.country_code
order by ended desc, o.country_code;
