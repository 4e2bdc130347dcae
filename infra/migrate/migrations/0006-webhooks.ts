import type { MigrationInterface, QueryRunner } from "typeorm";

/** Webhook endpoints, their secrets, and one row per delivery: the record of what was sent. */
export class Webhooks1700000000006 implements MigrationInterface {
  name = "Webhooks1700000000006";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema webhooks cascade");
  }
}

const UP = `
create schema webhooks;

create table webhooks.endpoints (
  id uuid not null,
  account_id uuid not null,
  url text not null,
  description text,
  enabled_events text[] not null default '{}',
  active boolean not null default true,
  max_per_second integer,
  paused_by text,
  paused_reason text,
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
  consecutive_failures integer not null default 0
) with (fillfactor = 50);

-- What signs deliveries to an order's own webhook_url.
create table webhooks.account_secrets (
  account_id uuid primary key,
  signing_secret bytea not null,
  secret_key_id text not null,
  created_at timestamptz not null
);

-- An order's own webhook_url, written with the order; it outlives a deleted draft.
create table webhooks.order_destinations (
  order_id uuid primary key,
  account_id uuid not null,
  url text not null
);

-- created_at is the instant of the cause (the event, the republish), and the id's own time: so a delivery is unique
-- per event, endpoint and cause although the table is partitioned, and is found by its id alone.
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
  primary key (id, created_at),
  unique (event_id, endpoint_key, cause_id, created_at)
) partition by range (created_at);

create index deliveries_list on webhooks.deliveries (account_id, id);
create index deliveries_status on webhooks.deliveries (account_id, status, id);
create index deliveries_type on webhooks.deliveries (account_id, event_type, id);
create index deliveries_endpoint on webhooks.deliveries (account_id, endpoint_id, id);
create index deliveries_order on webhooks.deliveries (account_id, order_id, id) where order_id is not null;
create index deliveries_due on webhooks.deliveries (next_attempt_at) where status in ('pending', 'retrying');
create index deliveries_of_key on webhooks.deliveries (endpoint_key, priority, next_attempt_at)
  where status in ('pending', 'retrying');

select messaging.make_partitions('webhooks.deliveries', 'month', now() - interval '1 month', now() + interval '3 months');
`;
