import type { MigrationInterface, QueryRunner } from "typeorm";

interface ViewComment {
  readonly about: string;
  readonly columns: Readonly<Record<string, string>>;
}

const ACCOUNT = "Account that it belongs to.";
const COUNTRY = "Two-letter country code (ISO 3166-1 alpha-2) of the numbers.";
const NUMBER_TYPE = "local, mobile, toll_free, national or shared_cost.";

/** What `comment on` says of each view and column of the schema `analytics`. */
const VIEW_COMMENTS: Readonly<Record<string, ViewComment>> = {
  orders: {
    about: "One row per porting order, drafts and deleted drafts included.",
    columns: {
      order_id: "Id of the order, a UUIDv7.",
      account_id: ACCOUNT,
      batch_id: "Shared by the orders that came from one request.",
      status: "Canonical status, such as draft, in_review, completed or cancelled.",
      closed_by:
        "Who ended a cancelled order: customer, provider or ops; null while it is not cancelled.",
      provider: "Provider through which the losing carrier is asked.",
      losing_carrier:
        "Carrier that has the numbers when the order is created; null where it is unknown.",
      country_code: COUNTRY,
      number_type: NUMBER_TYPE,
      created_at: "When the order was created.",
      submitted_at: "When it was first submitted; null if it never was.",
      ended_at: "When it was completed, partly completed or cancelled; null while it is open.",
      deleted_at: "When a draft was deleted, by the customer or by expiry; null otherwise.",
      foc_requested: "Port date that the customer asked for; null where none was.",
      foc_actual: "Port date that the carrier confirmed last; null where none is.",
      foc_day: "Day of foc_actual at the UTC offset with which the carrier sent it.",
      activated_day:
        "Day of activated_at at that same offset; in UTC where there is no foc_actual.",
      activated_at: "When the last number of the order became active; null if none did.",
      desk_cases:
        "Cases that were opened at the desk: submissions, and reviews resumed after a refused cancellation.",
      carrier_requests:
        "How often the order was sent to the carrier, as a submit or supplement; 0 means never.",
      numbers: "Numbers of the order.",
      active_numbers: "Numbers of the order that became active.",
      failed_numbers: "Numbers of the order that failed.",
    },
  },
  order_steps: {
    about:
      "One row per status that an order entered, its creation included, with how long it stayed.",
    columns: {
      step_id: "Id of the step.",
      order_id: "Order that moved.",
      account_id: ACCOUNT,
      from_status: "Status before; null at the creation.",
      to_status: "Status that it entered; the same as before where the carrier moved the date.",
      actor: "Who moved it: customer, desk, carrier or system.",
      entered_at: "When it entered the status.",
      left_at: "When it took its next step; null while this is its last.",
      seconds: "Seconds from entered_at to left_at; null while this is its last step.",
    },
  },
  rejections: {
    about:
      "One row per reason for which the desk or a carrier rejected or refused an order. Rejections before version 0.2 are not in it.",
    columns: {
      event_id: "Id of the event that told it, a UUIDv7.",
      order_id: "Order that was rejected.",
      account_id: ACCOUNT,
      rejected_at: "When it was rejected here.",
      occurred_at: "When the carrier says that it rejected it; null for the desk.",
      raised_by: "desk or carrier.",
      code: "Canonical code, such as account_number_mismatch; other where none was given.",
      slug: "Requirement to correct; null where the reason concerns none.",
      text: "The reason in words, each word that has a digit replaced; null for a sensitive requirement.",
      is_final:
        "True where it ended the order or some of its numbers; false where the customer could correct it.",
      provider: "Provider of the order.",
      losing_carrier: "Losing carrier of the order; null where it is unknown.",
      country_code: COUNTRY,
      number_type: NUMBER_TYPE,
    },
  },
  port_outs: {
    about: "One row per port-out: another carrier's request for numbers of one account.",
    columns: {
      port_out_id: "Id of the port-out, a UUIDv7.",
      account_id: "Account that has the numbers.",
      provider: "Provider that asked.",
      gaining_carrier: "Carrier that the numbers move to.",
      status: "requested, decision_required, approved, rejected, expired, cancelled or ported_out.",
      created_at: "When the request arrived.",
      updated_at: "When it last changed.",
      requested_foc: "Port date that the gaining carrier asked for.",
      foc_actual: "Port date that the gaining carrier confirmed; null where none is.",
      decision_deadline: "When it proceeds without a decision; null if none is awaited.",
      decided_by: "customer, ops, or system where the checks rejected it; null without a decision.",
      decided_at: "When it was decided; null without a decision.",
      rejection_code: "Why it was rejected, such as pin_invalid; null if it was not.",
      numbers: "Numbers of the request.",
      left_numbers: "Numbers that have left.",
      ported_out_at: "When the last of them left; null if none did.",
    },
  },
  numbers: {
    about:
      "One row per number and account that has or had it. A number is live unless its status is ported_out.",
    columns: {
      phone_number: "The number, in E.164.",
      account_id: "Account that has or had it.",
      status: "active, porting_out or ported_out.",
      country_code: COUNTRY,
      number_type: NUMBER_TYPE,
      provider: "Provider that hosts it.",
      order_id: "Order that brought it in last; null where there is none.",
      activated_at: "When it last became active.",
      left_at: "When it left the account; null while the account has it.",
      is_forwarded: "Whether its calls are forwarded; where to is not shown.",
      port_out_lock: "Whether the customer locked it against port-outs.",
    },
  },
  calls: {
    about:
      "One row per report on a call of a number; a call that is forwarded and then completed has two. Callers are not shown.",
    columns: {
      event_id: "Id of the event, a UUIDv7.",
      account_id: "Account that had the number at the time of the call.",
      order_id: "Order that brought the number in; null where there is none.",
      phone_number: "The number that was called, in E.164.",
      call_id: "Id of the call at its provider; the reports on one call share it.",
      provider: "Provider that reported it; null before version 0.2.",
      kind: "forwarded, completed or missed.",
      told_at: "When the report was published here.",
      occurred_at: "When it happened, as reported.",
      duration_seconds: "Length of a completed call, in seconds; null otherwise.",
      ended_by: "Who ended a completed call: caller, callee, platform or carrier; null otherwise.",
      missed_reason: "Why it was missed, such as no_answer; null otherwise.",
      forwarded_by: "platform or carrier; null unless forwarded.",
      stage: "primary or fallback; null unless forwarded.",
    },
  },
  webhook_deliveries: {
    about:
      "One row per event and receiver: what became of the delivery. URLs, bodies and secrets are not shown.",
    columns: {
      delivery_id: "Id of the delivery, a UUIDv7.",
      account_id: ACCOUNT,
      endpoint_id: "Endpoint; null where it went to an order's own webhook_url.",
      event_id: "Event that was delivered.",
      event_type: "Type of the event, such as porting_order.created.",
      order_id: "Order of the event; null where there is none.",
      host: "Host name of the receiver.",
      trigger: "Why it was sent: event, republish, recover or test.",
      status: "pending, retrying, succeeded, failed, skipped or cancelled.",
      attempts: "HTTP attempts so far.",
      event_at: "When the event was created.",
      created_at: "When the delivery was caused: by the event, or by the republish or recovery.",
      next_attempt_at: "When the next attempt is due; null where none is.",
      completed_at: "When it succeeded or ended; null before.",
      seconds: "Seconds from created_at to completed_at; null before.",
      last_response_code: "HTTP status of the last attempt; null without a response.",
      last_error_code: "Why the last attempt failed, such as timeout_response; null if it did not.",
    },
  },
};

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
