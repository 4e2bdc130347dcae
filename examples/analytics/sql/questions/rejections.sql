-- Why orders were rejected or refused since a time ($1), and by whom.
select code, coalesce(raised_by, 'unknown') as raised_by, count(*)::integer as rejections,
  count(distinct order_id)::integer as orders
from analytics.rejections
where rejected_at >= $1::timestamptz
group by 1, 2
order by rejections desc, code, raised_by;
