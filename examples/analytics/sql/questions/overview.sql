-- Orders since a time ($1): how many came and ended, and how long a port takes from submission to completion.
select (count(*) filter (where created_at >= $1::timestamptz))::integer as created,
  (count(*) filter (where submitted_at >= $1::timestamptz))::integer as submitted,
  (count(*) filter (where ended_at >= $1::timestamptz and status <> 'cancelled'))::integer as completed,
  (count(*) filter (where ended_at >= $1::timestamptz and status = 'completed_partial'))::integer
    as completed_partial,
  (count(*) filter (where ended_at >= $1::timestamptz and status = 'cancelled'))::integer as cancelled,
  (count(*) filter (where submitted_at is not null and ended_at is null))::integer as open,
  (percentile_cont(0.5) within group (
    order by case when ended_at >= $1::timestamptz and status <> 'cancelled'
      then extract(epoch from ended_at - submitted_at)::float8 end
  ))::float8 as median_seconds
from analytics.orders;
