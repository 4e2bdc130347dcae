-- The views of docs/analytics.md over the Parquet files: the same names, columns and meanings as in Postgres, so that a
-- question runs in both. Before it: set variable events = 'data/*.parquet'; set TimeZone = 'UTC';
create schema if not exists analytics;

-- The topic may repeat an event with the same id: its first place counts.
create or replace view analytics.events as
select *
from read_parquet(getvariable('events'), union_by_name = true)
qualify row_number() over (partition by id order by kafka_offset) = 1;

create or replace view analytics.order_steps as
select step_id, order_id, account_id, from_status, to_status, actor, entered_at,
  lead(entered_at) over path as left_at,
  ((epoch_ms(lead(entered_at) over path) - epoch_ms(entered_at)) / 1000)::double as seconds
from (
  select id as step_id, order_id, account_id, actor, created_at as entered_at, order_sequence,
    payload.porting_order_status_changed.previous_status as from_status,
    coalesce(
      payload.porting_order_status_changed.new_status,
      payload.porting_order_created.porting_order.status
    ) as to_status
  from analytics.events
  where type in ('porting_order_created', 'porting_order_status_changed')
) moves
window path as (partition by order_id order by order_sequence);

-- Not here: failed_numbers and carrier_requests, which no event says.
create or replace view analytics.orders as
with snapshots as (
  select order_id, account_id, type, created_at, order_sequence, provider, losing_carrier,
    payload.porting_order_status_changed.new_status as new_status,
    coalesce(
      payload.porting_order_status_changed.porting_order,
      payload.porting_order_created.porting_order
    ) as snapshot
  from analytics.events
  where type in ('porting_order_created', 'porting_order_status_changed')
), deleted as (
  select order_id, max(payload.porting_order_deleted.deleted_at) as deleted_at
  from analytics.events
  where type = 'porting_order_deleted'
  group by order_id
), activated as (
  select payload.number_activated.porting_order_id as order_id,
    count(distinct payload.number_activated.phone_number)::integer as active_numbers,
    max(payload.number_activated.activated_at) as activated_at
  from analytics.events
  where type = 'number_activated'
  group by 1
), orders as (
  select order_id, any_value(account_id) as account_id, arg_max(snapshot, order_sequence) as latest,
    arg_max(provider, order_sequence) as provider,
    arg_max(losing_carrier, order_sequence) as losing_carrier,
    min(created_at) as created_at,
    min(created_at) filter (where new_status = 'in_review') as submitted_at,
    min(created_at) filter (where new_status in ('completed', 'completed_partial', 'cancelled'))
      as ended_at,
    (count(*) filter (where new_status = 'in_review'))::integer as desk_cases
  from snapshots
  group by order_id
)
select o.order_id, o.account_id, o.latest.batch_id as batch_id, o.latest.status as status,
  o.latest.closed_by as closed_by, o.provider, o.losing_carrier, o.latest.country_code as country_code,
  o.latest.number_type as number_type, o.created_at, o.submitted_at, o.ended_at, d.deleted_at,
  o.latest.foc_requested::timestamptz as foc_requested, o.latest.foc_actual::timestamptz as foc_actual,
  left(o.latest.foc_actual, 10)::date as foc_day,
  -- The day at the UTC offset with which the carrier sent its date; in UTC without one.
  ((a.activated_at at time zone 'UTC') + to_minutes(
    case when regexp_matches(o.latest.foc_actual, '[+-][0-9]{2}:[0-9]{2}$')
      then (substr(right(o.latest.foc_actual, 6), 2, 2)::bigint * 60 + right(o.latest.foc_actual, 2)::bigint)
        * case when left(right(o.latest.foc_actual, 6), 1) = '-' then -1 else 1 end
      else 0
    end
  ))::date as activated_day,
  a.activated_at, o.desk_cases, len(o.latest.phone_numbers)::integer as numbers,
  coalesce(a.active_numbers, 0) as active_numbers
from orders o
left join deleted d using (order_id)
left join activated a using (order_id);

create or replace view analytics.rejections as
select id as event_id, order_id, account_id, created_at as rejected_at, occurred_at, actor as raised_by,
  rejection.code as code, rejection.slug as slug, rejection.text as text,
  type = 'porting_order_status_changed'
    and payload.porting_order_status_changed.new_status <> 'rejection' as is_final,
  provider, losing_carrier, country_code, number_type
from analytics.events
where rejection is not null
  and (type = 'porting_order_requirement_updated'
    or type = 'porting_order_status_changed' and rejection.slug is null);

create or replace view analytics.port_outs as
with snapshots as (
  select account_id, provider, order_sequence,
    coalesce(payload.port_out_status_changed.port_out, payload.port_out_created.port_out) as snapshot
  from analytics.events
  where type in ('port_out_created', 'port_out_status_changed')
), port_outs as (
  select snapshot.id as port_out_id, any_value(account_id) as account_id,
    arg_max(provider, order_sequence) as provider, arg_max(snapshot, order_sequence) as latest
  from snapshots
  group by snapshot.id
), gone as (
  select payload.number_ported_out.port_out_id as port_out_id,
    count(distinct payload.number_ported_out.phone_number)::integer as left_numbers,
    max(payload.number_ported_out.ported_out_at) as ported_out_at
  from analytics.events
  where type = 'number_ported_out'
  group by 1
)
select p.port_out_id, p.account_id, p.provider, p.latest.gaining_carrier as gaining_carrier,
  p.latest.status as status, p.latest.created_at as created_at, p.latest.updated_at as updated_at,
  p.latest.requested_foc::timestamptz as requested_foc, p.latest.foc_actual::timestamptz as foc_actual,
  p.latest.decision_deadline as decision_deadline, p.latest.decision.by as decided_by,
  p.latest.decision.at as decided_at, p.latest.decision.code as rejection_code,
  len(p.latest.phone_numbers)::integer as numbers, coalesce(g.left_numbers, 0) as left_numbers,
  g.ported_out_at
from port_outs p
left join gone g using (port_out_id);
