-- When the desk's first and last case since a time ($1) were opened or decided.
select min(entered_at) as first_at, max(entered_at) as last_at
from analytics.order_steps
where entered_at >= $1::timestamptz and (to_status = 'in_review' or from_status = 'in_review');
