-- Port-outs that were asked for since a time ($1): what became of them, who decided, and how long that took.
select coalesce(decided_by, 'nobody') as decided_by,
  case when rejection_code is not null then 'rejected' when decided_by is not null then 'approved' else status end
    as outcome,
  rejection_code, count(*)::integer as port_outs,
  avg(extract(epoch from decided_at - created_at))::float8 as mean_seconds
from analytics.port_outs
where created_at >= $1::timestamptz
group by 1, 2, 3
order by port_outs desc, 1, 2, 3;
