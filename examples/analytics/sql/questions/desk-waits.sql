-- How long a case that left the desk since a time ($1) had been there, by country.
select o.country_code, count(*)::integer as cases,
  (percentile_cont(0.5) within group (order by s.seconds))::float8 as median_seconds,
  (percentile_cont(0.9) within group (order by s.seconds))::float8 as p90_seconds
from analytics.order_steps s
join analytics.orders o using (order_id)
where s.to_status = 'in_review' and s.left_at >= $1::timestamptz
group by o.country_code
order by cases desc, o.country_code;
