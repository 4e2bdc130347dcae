import type { MigrationInterface, QueryRunner } from "typeorm";

/** Webhook endpoints, their secrets and health, and one row per delivery: the record of what was sent. */
export class Webhooks1700000000206 implements MigrationInterface {
  name = "Webhooks1700000000206";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create schema webhooks");
    await runner.query("set local check_function_bodies = off");
    await runner.query(WEBHOOKS_FUNCTIONS);
    await runner.query(ENDPOINTS);
    await runner.query(DELIVERIES);
    await runner.query(DELIVERY_INDEXES);
    await runner.query(AROUND_DELIVERIES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema webhooks cascade");
  }
}

const ENDPOINTS = `
create table webhooks.endpoints (
  id uuid not null,
  account_id uuid not null,
  url text not null,
  -- As a parser writes it: an order's own URL is compared with it. Null: written by a release before.
  href text,
  description text,
  enabled_events text[] not null default '{}',
  active boolean not null default true,
  max_per_second integer,
  paused_by text,
  paused_reason text,
  -- When it was last set active again: a success before that says nothing of now.
  resumed_at timestamptz,
  signing_secret bytea not null,
  secret_key_id text not null,
  previous_secret bytea,
  previous_secret_key_id text,
  previous_secret_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint endpoints_pkey primary key (id),
  constraint endpoints_max_per_second check (max_per_second between 1 and 1000),
  constraint endpoints_paused_by check (paused_by in ('customer', 'system'))
);
create index endpoints_of_account on webhooks.endpoints (account_id, id) where deleted_at is null;

-- Apart from the endpoint, because every delivery changes it.
create table webhooks.endpoint_health (
  endpoint_id uuid primary key references webhooks.endpoints (id),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- The first failed attempt since the last success.
  failing_since timestamptz,
  consecutive_failures integer not null default 0,
  -- Deliveries that failed for good since the last success, and when the first and the last of them did.
  failed_deliveries integer not null default 0,
  first_failed_at timestamptz,
  last_failed_at timestamptz
) with (fillfactor = 50);
create index endpoint_health_failing on webhooks.endpoint_health (endpoint_id) where failed_deliveries > 0;

-- When the next attempt to an endpoint with a max_per_second may start.
create table webhooks.endpoint_pace (
  endpoint_id uuid primary key,
  next_at timestamptz not null
) with (fillfactor = 50);

-- What signs deliveries to an order's own webhook_url; the secret before stays valid for a while after a rotation.
create table webhooks.account_secrets (
  account_id uuid primary key,
  signing_secret bytea not null,
  secret_key_id text not null,
  created_at timestamptz not null,
  previous_secret bytea,
  previous_secret_key_id text,
  previous_secret_expires_at timestamptz
);

-- An order's own webhook_url, written with the order; it outlives a deleted draft.
create table webhooks.order_destinations (
  order_id uuid primary key,
  account_id uuid not null,
  url text not null,
  href text
);
`;

const DELIVERIES = `
-- Ids and created_at say when a delivery was made: in the order in which deliveries become visible (docs/adr/0058).
create table webhooks.deliveries (
  id uuid not null,
  created_at timestamptz not null,
  account_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  event_at timestamptz not null,
  cause_id uuid not null,
  trigger text not null check (trigger in ('event', 'republish', 'recover', 'test')),
  endpoint_id uuid,
  endpoint_key uuid not null,
  order_id uuid,
  url text not null,
  status text not null
    check (status in ('pending', 'retrying', 'succeeded', 'failed', 'skipped', 'cancelled')),
  attempt_count integer not null default 0,
  claim_no integer not null default 0,
  priority smallint not null default 0,
  next_attempt_at timestamptz,
  claimed_at timestamptz,
  lease_until timestamptz,
  by_hand boolean not null default false,
  completed_at timestamptz,
  attempt_log jsonb not null default '[]',
  test_body bytea,
  -- When it last failed for good; counted towards the endpoint's pause once since the endpoint's last success.
  failed_at timestamptz,
  -- Of its cause; null where the trace is not sampled.
  traceparent text,
  primary key (id, created_at),
  unique (event_id, endpoint_key, cause_id, created_at)
) partition by range (created_at);
`;

// Whether a delivery is in an index may depend on its status, but only where it is rare is the status a key: a key that
// changes makes a second entry, and neither the first nor its page is soon given back.
const DELIVERY_INDEXES = `
create index deliveries_list on webhooks.deliveries (account_id, id);
create index deliveries_succeeded on webhooks.deliveries (account_id, id) where status = 'succeeded';
create index deliveries_other_status on webhooks.deliveries (account_id, status, id) where status <> 'succeeded';
create index deliveries_type on webhooks.deliveries (account_id, event_type, id);
create index deliveries_order on webhooks.deliveries (account_id, order_id, id) where order_id is not null;
-- Keys all of them, because an index with included columns is never deduplicated. A type that an endpoint was hardly
-- ever told of is looked for in it alone: one led by both would find it at once, but every delivery would pay for it.
create index deliveries_of_endpoint on webhooks.deliveries (account_id, endpoint_id, id, event_type, created_at);
-- A delivery that succeeds is never in these.
create index deliveries_endpoint_failures on webhooks.deliveries (account_id, endpoint_id, status, id)
  where status in ('failed', 'skipped', 'cancelled');
create index deliveries_any_failure on webhooks.deliveries (status, id)
  where status in ('failed', 'skipped', 'cancelled');

create index deliveries_due on webhooks.deliveries (next_attempt_at) where status in ('pending', 'retrying');
create index deliveries_of_key on webhooks.deliveries (endpoint_key, priority, next_attempt_at)
  where status in ('pending', 'retrying');
`;

const AROUND_DELIVERIES = `
select webhooks.make_delivery_partitions(now() - interval '1 month', now() + interval '3 months');

-- Of causes before it no delivery may be left: what is not found there is not missing.
create table webhooks.delivery_retention (
  one boolean primary key default true check (one),
  dropped_before timestamptz not null default '-infinity'
);
insert into webhooks.delivery_retention default values;

-- The first instant that no delivery of an account has yet. A row is locked from the making of deliveries to their commit.
create table webhooks.delivery_times (
  account_id uuid primary key,
  next_at timestamptz not null
) with (fillfactor = 50);

-- Jobs that send an endpoint the events that it missed.
create table webhooks.recoveries (
  id uuid primary key,
  account_id uuid not null,
  endpoint_id uuid not null references webhooks.endpoints (id),
  mode text not null check (mode in ('failed', 'missing', 'all')),
  since timestamptz not null,
  until timestamptz not null,
  status text not null check (status in ('running', 'completed', 'cancelled')),
  total integer not null,
  queued integer not null default 0,
  -- The feed's number up to which events were looked at, and up to which they are to be.
  position bigint not null default 0,
  last_seq bigint not null,
  created_at timestamptz not null,
  completed_at timestamptz
);
create unique index recoveries_running on webhooks.recoveries (endpoint_id) where status = 'running';
create index recoveries_of_account on webhooks.recoveries (account_id, created_at);
`;

export const WEBHOOKS_FUNCTIONS = `
-- Every delivery is updated at least twice. With free space in its page, a claim, which changes no indexed column, writes
-- to no index.
create or replace function webhooks.make_delivery_partitions(first timestamptz, last timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made integer := messaging.make_partitions('webhooks.deliveries', 'month', first, last);
  part record;
begin
  for part in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhooks.deliveries'::regclass and c.reloptions is null
  loop
    execute format('alter table %s set (fillfactor = 80)', part.name);
  end loop;
  return made;
end
$$;

-- Drops the oldest month that ended by the given instant and in which nothing waits to be sent, and names it; null
-- where there is none. Readers and writers wait for at most 200 ms; where the locks cannot be had, the next call tries
-- again. The parent comes first, as in every query: the other way round the two would wait for each other.
create or replace function webhooks.drop_delivery_partition(before timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '200ms'
set timezone = 'UTC' as $$
declare
  child record;
  is_waiting boolean;
begin
  for child in
    -- The condition guards the cast: the planner may look at every table's name before it looks whose child it is.
    select m.name, m.ended from (
      select c.relname as name, case when c.relname ~ '_[0-9]{6}$'
        then to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' end as ended
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'webhooks.deliveries'::regclass
    ) m
    where m.ended <= before
    order by m.name
  loop
    execute format('select exists (select from webhooks.%I where status in (''pending'', ''retrying''))', child.name)
      into is_waiting;
    continue when is_waiting;
    lock table only webhooks.deliveries in access exclusive mode;
    execute format('lock table webhooks.%I in access exclusive mode', child.name);
    execute format('select exists (select from webhooks.%I where status in (''pending'', ''retrying''))', child.name)
      into is_waiting;
    continue when is_waiting;
    execute format('drop table webhooks.%I', child.name);
    update webhooks.delivery_retention set dropped_before = greatest(dropped_before, child.ended);
    return child.name;
  end loop;
  return null;
exception when lock_not_available then
  return null;
end
$$;

-- When the next deliveries of each account are made, so many of them: later than all before, also where the clock was
-- set back, and not before these are visible. 4,096 share a millisecond.
create or replace function webhooks.next_delivery_times(accounts uuid[], counts bigint[])
returns table (account_id uuid, at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with asked as materialized (
    select u.account_id, (1 + (u.made - 1) / 4096) * interval '1 millisecond' as span
    from unnest(accounts, counts) u (account_id, made)
  ), taken as (
    insert into webhooks.delivery_times as t (account_id, next_at)
    select a.account_id, date_trunc('milliseconds', clock_timestamp()) + a.span from asked a order by a.account_id
    on conflict (account_id) do update
      set next_at = greatest(t.next_at, date_trunc('milliseconds', clock_timestamp()))
        + (select a.span from asked a where a.account_id = t.account_id)
    returning t.account_id, t.next_at
  )
  select t.account_id, t.next_at - a.span from taken t join asked a using (account_id);
end
$$;

-- The webhooks of an account in numbers, for the desk, whose role may not read these tables.
create or replace function webhooks.account_counts(of_account uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object(
    'webhook_endpoints', count(*),
    'paused_webhook_endpoints', count(*) filter (where e.paused_by is not null),
    'waiting_deliveries', (select count(*) from (
      select from webhooks.deliveries d
      where d.account_id = of_account and d.status in ('pending', 'retrying') limit 10000) w)
  )
  from webhooks.endpoints e where e.account_id = of_account and e.deleted_at is null
$$;
`;
