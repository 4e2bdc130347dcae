import type { MigrationInterface, QueryRunner } from "typeorm";
import { VIEW_COMMENTS } from "./0208-analytics-comments.ts";

/** Views for analysts: what happened to orders, numbers, calls and deliveries, without secrets, texts or addresses. */
export class Analytics1700000000208 implements MigrationInterface {
  name = "Analytics1700000000208";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(VIEWS);
    for (const comment of ANALYTICS_COMMENTS) await runner.query(comment);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema analytics cascade");
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export const ANALYTICS_COMMENTS: readonly string[] = Object.entries(VIEW_COMMENTS).flatMap(
  ([view, { about, columns }]) => [
    `comment on view analytics.${view} is ${quoted(about)}`,
    ...Object.entries(columns).map(
      ([column, text]) => `comment on column analytics.${view}.${column} is ${quoted(text)}`,
    ),
  ],
);

// A view may call built-in functions alone: its reader needs the right to each function that it calls.
const VIEWS = `
create schema analytics;
comment on schema analytics is
  'Views for analysts, read with the role porting_analyst. docs/analytics.md has examples.';

create view analytics.orders as
  select o.id as order_id, o.account_id, o.batch_id, o.status, o.closed_by, o.provider, o.losing_carrier,
    o.country_code, o.number_type, o.created_at, o.submitted_at, o.closed_at as ended_at, o.deleted_at,
    o.foc_requested::timestamptz as foc_requested, o.foc_actual::timestamptz as foc_actual,
    left(o.foc_actual, 10)::date as foc_day,
    (n.activated_at at time zone 'UTC' + case when o.foc_actual ~ '[+-][0-9]{2}:[0-9]{2}$'
      then right(o.foc_actual, 6)::interval else interval '0' end)::date as activated_day,
    n.activated_at, o.review_attempt as desk_cases, o.request_version as carrier_requests,
    coalesce(n.numbers, 0) as numbers, coalesce(n.active_numbers, 0) as active_numbers,
    coalesce(n.failed_numbers, 0) as failed_numbers
  from orders.porting_orders o
  left join (
    select order_id, count(*)::integer as numbers,
      (count(*) filter (where status = 'active'))::integer as active_numbers,
      (count(*) filter (where status = 'failed'))::integer as failed_numbers,
      max(activated_at) as activated_at
    from orders.order_numbers group by order_id
  ) n on n.order_id = o.id;

create view analytics.order_steps as
  select t.id as step_id, t.order_id, t.account_id, t.data->>'previous_status' as from_status,
    t.data->>'new_status' as to_status, t.actor->>'type' as actor, t.at as entered_at,
    lead(t.at) over path as left_at,
    extract(epoch from lead(t.at) over path - t.at)::double precision as seconds
  from orders.timeline t
  where t.kind = 'status' and t.data ? 'new_status'
  window path as (partition by t.order_id order by t.at, t.id);

create view analytics.rejections as
  select l.id as event_id, l.order_id, l.account_id, l.created_at as rejected_at,
    (l.context->>'occurred_at')::timestamptz as occurred_at, l.context->>'actor' as raised_by,
    l.context->'rejection'->>'code' as code, l.context->'rejection'->>'slug' as slug,
    l.context->'rejection'->>'text' as text, l.type = 'porting_order.status_changed'
      and convert_from(l.body, 'UTF8') !~ '"new_status":"rejection"' as is_final,
    l.context->>'provider' as provider, l.context->>'losing_carrier' as losing_carrier,
    l.context->>'country_code' as country_code, l.context->>'number_type' as number_type
  from events.log l
  where l.context ? 'rejection' and (l.type = 'porting_order.requirement_updated'
    or l.type = 'porting_order.status_changed' and not l.context->'rejection' ? 'slug');

create view analytics.port_outs as
  select p.id as port_out_id, p.account_id, p.provider, p.gaining_carrier, p.status, p.created_at, p.updated_at,
    p.requested_foc::timestamptz as requested_foc, p.foc_actual::timestamptz as foc_actual, p.decision_deadline,
    p.decision->>'by' as decided_by, (p.decision->>'at')::timestamptz as decided_at,
    p.decision->>'code' as rejection_code, coalesce(n.numbers, 0) as numbers,
    coalesce(n.left_numbers, 0) as left_numbers, n.ported_out_at
  from orders.port_outs p
  left join (
    select port_out_id, count(*)::integer as numbers, count(ported_out_at)::integer as left_numbers,
      max(ported_out_at) as ported_out_at
    from orders.port_out_numbers group by port_out_id
  ) n on n.port_out_id = p.id
  where p.account_id is not null;

create view analytics.numbers as
  select n.phone_number, n.account_id, n.status, n.country_code, n.number_type, n.provider,
    n.porting_order_id as order_id, n.activated_at,
    case when n.status = 'ported_out' then f.left_at end as left_at,
    n.forwarding is not null as is_forwarded, n.port_out_lock
  from orders.numbers n
  left join (
    select phone_number, account_id, max(until) as left_at
    from orders.former_owners group by phone_number, account_id
  ) f on f.phone_number = n.phone_number and f.account_id = n.account_id;

create view analytics.calls as
  select c.event_id, c.account_id, c.order_id, c.payload->>'phone_number' as phone_number,
    c.payload->>'call_id' as call_id, c.context->>'provider' as provider, split_part(c.type, '.', 2) as kind,
    c.created_at as told_at, (c.payload->>'occurred_at')::timestamptz as occurred_at,
    (c.payload->>'duration_seconds')::integer as duration_seconds, c.payload->>'ended_by' as ended_by,
    c.payload->>'reason' as missed_reason, c.payload->>'forwarded_by' as forwarded_by,
    c.payload->>'stage' as stage
  from (
    select l.id as event_id, l.account_id, l.order_id, l.type, l.created_at, l.context,
      convert_from(l.body, 'UTF8')::jsonb->'payload' as payload
    from events.log l where l.type in ('call.forwarded', 'call.completed', 'call.missed')
  ) c;

create view analytics.webhook_deliveries as
  select d.id as delivery_id, d.account_id, d.endpoint_id, d.event_id, d.event_type, d.order_id,
    substring(d.url from '^[a-z]+://(?:[^/?#@]*@)?([^/:?#]+)') as host, d.trigger, d.status,
    d.attempt_count as attempts, d.event_at, d.created_at, d.next_attempt_at, d.completed_at,
    extract(epoch from d.completed_at - d.created_at)::double precision as seconds,
    (d.attempt_log->-1->>'response_code')::integer as last_response_code,
    d.attempt_log->-1->'error'->>'code' as last_error_code
  from webhooks.deliveries d;
`;
