-- Cases opened at the desk and decided by it since a time ($1), in steps of a unit ($2: minute, hour, day, week or month).
select (date_trunc($2, entered_at at time zone 'UTC') at time zone 'UTC') as starts_at,
  (count(*) filter (where to_status = 'in_review'))::integer as opened,
  (count(*) filter (where from_status = 'in_review' and to_status = 'submitted'))::integer as confirmed,
  (count(*) filter (where from_status = 'in_review' and to_status = 'rejection'))::integer as rejected
from analytics.order_steps
where entered_at >= $1::timestamptz
  and (to_status = 'in_review' or from_status = 'in_review' and to_status in ('submitted', 'rejection'))
group by 1
order by 1;
