import type { MigrationInterface, QueryRunner } from "typeorm";

/** What was asked of carriers, and what they published, each recorded once. */
export class Carriers1700000000205 implements MigrationInterface {
  name = "Carriers1700000000205";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create schema carriers");
    await runner.query(CARRIERS_FUNCTIONS);
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema carriers cascade");
  }
}

// Where a message of a carrier lay is kept: the same message, delivered again, has its receipt already.
const TABLES = `
create table carriers.requests (
  request_id uuid primary key,
  order_id uuid,
  request_version integer,
  provider text not null,
  kind text not null,
  sent_at timestamptz not null
);
create index requests_of_order on carriers.requests (order_id, request_version);

create table carriers.updates (
  provider text not null,
  update_id text not null,
  order_id uuid,
  content_hash bytea not null,
  received_at timestamptz not null,
  source_partition integer,
  source_offset bigint,
  primary key (provider, update_id)
);
create index updates_of_provider on carriers.updates (provider, received_at desc);
create index updates_of_order on carriers.updates (order_id) where order_id is not null;
create index updates_received on carriers.updates (received_at);

-- All that is said of one port-out goes on under one key, so that it stays in order.
create table carriers.port_out_requests (
  provider text not null,
  port_out_ref text not null,
  message_key text not null,
  phone_numbers text[] not null,
  primary key (provider, port_out_ref)
);

create table carriers.port_out_updates (
  provider text not null,
  update_id text not null,
  content_hash bytea not null,
  received_at timestamptz not null,
  source_partition integer,
  source_offset bigint,
  -- A keyed hash of its PIN, so that a repeat with another PIN is recognized.
  pin_mac bytea,
  pin_mac_key text,
  primary key (provider, update_id)
);
create index port_out_updates_received on carriers.port_out_updates (received_at);

-- The event of a call's step, which is a hash of provider, call, kind and stage: however often it is said, it is one event.
create table carriers.call_events (
  call_step uuid primary key,
  event_id uuid not null,
  -- Whose the number was when the step was first told, and the order that had brought it in.
  account_id uuid not null,
  porting_order_id uuid
);
create index call_events_event on carriers.call_events (event_id);

-- Port-outs that the sandbox requested, so that their completion or cancellation repeats the request's data.
create table carriers.sandbox_port_outs (
  port_out_ref uuid primary key,
  phone_numbers text[] not null,
  gaining_carrier text not null,
  requested_foc text not null,
  created_at timestamptz not null
);
`;

export const CARRIERS_FUNCTIONS = `
-- Deletes some of the records of updates, port-out updates and calls that came before the instant, and says how many: no
-- more when that is 0. As in messaging.forget_handled, what the reconciler has yet to look at stays.
-- An event's id holds the time at which its call was first seen. Each provider's newest update is kept, because the
-- desk's health page shows when a provider was last heard of.
create or replace function carriers.forget_handled(before timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  horizon timestamptz;
  first_kept uuid;
  deleted integer;
begin
  select least(before, min(o.created_at)) into horizon from (
    select o.created_at from messaging.outbox o
    where o.id >= (select r.low_id from messaging.reconciliation r) order by o.id limit 1
  ) o;
  first_kept := messaging.uuid_at(horizon);
  with old_updates as materialized (
    select u.provider, u.update_id from carriers.updates u
    where u.received_at < horizon and exists (
      select from carriers.updates n where n.provider = u.provider and n.received_at > u.received_at)
    order by u.received_at limit 5000 for update of u skip locked
  ), updates as (
    delete from carriers.updates u using old_updates o
    where u.provider = o.provider and u.update_id = o.update_id returning 1
  ), old_port_outs as materialized (
    select u.provider, u.update_id from carriers.port_out_updates u
    where u.received_at < horizon order by u.received_at limit 5000 for update skip locked
  ), port_outs as (
    delete from carriers.port_out_updates u using old_port_outs o
    where u.provider = o.provider and u.update_id = o.update_id returning 1
  ), old_calls as materialized (
    select c.call_step from carriers.call_events c
    where c.event_id < first_kept order by c.event_id limit 5000 for update skip locked
  ), calls as (
    delete from carriers.call_events c using old_calls o where c.call_step = o.call_step returning 1
  )
  select (select count(*) from updates) + (select count(*) from port_outs) + (select count(*) from calls)
    into deleted;
  return deleted;
end
$$;
`;
