-- Of the orders completed with a port date since a time ($1): the date was kept if the carrier never moved it and the
-- last number was active by the end of that day, at the carrier's UTC offset; else it was moved, or else late.
select coalesce(o.losing_carrier, 'unknown') as losing_carrier, o.country_code, count(*)::integer as dated,
  (count(*) filter (where m.order_id is null and o.activated_day <= o.foc_day))::integer as kept,
  count(m.order_id)::integer as moved,
  (count(*) filter (where m.order_id is null and coalesce(o.activated_day > o.foc_day, true)))::integer as late
from analytics.orders o
left join (
  select distinct order_id from analytics.order_steps
  where from_status = 'foc_scheduled' and to_status = 'foc_scheduled'
) m using (order_id)
where o.status in ('completed', 'completed_partial') and o.foc_actual >= $1::timestamptz
group by 1, 2
order by dated desc, 1, 2;
