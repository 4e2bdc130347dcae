import type { MigrationInterface, QueryRunner } from "typeorm";

/** Port-outs with their numbers and the carriers' updates on them, and the calls that have an event. */
export class PortOuts1700000000012 implements MigrationInterface {
  name = "PortOuts1700000000012";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- Without an account: the answer about numbers that no account has, which is nobody's record.
create table orders.port_outs (
  id uuid primary key,
  account_id uuid,
  provider text not null,
  port_out_ref text not null,
  status text not null check (status in ('requested', 'decision_required', 'approved', 'rejected', 'expired',
    'cancelled', 'ported_out')),
  gaining_carrier text not null,
  requested_foc text not null,
  foc_actual text,
  decision_deadline timestamptz,
  decision jsonb,
  provider_status text not null,
  event_sequence integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index port_outs_ref on orders.port_outs (provider, port_out_ref, account_id) nulls not distinct;
create index port_outs_list on orders.port_outs (account_id, id);
create index port_outs_status on orders.port_outs (account_id, status, id);

create table orders.port_out_numbers (
  port_out_id uuid not null references orders.port_outs (id),
  position smallint not null,
  account_id uuid,
  phone_number text not null,
  open boolean not null,
  ported_out_at timestamptz,
  primary key (port_out_id, phone_number)
);
create unique index port_out_numbers_one_open on orders.port_out_numbers (account_id, phone_number) where open;
create index port_out_numbers_find on orders.port_out_numbers (phone_number, port_out_id);

alter table orders.numbers add column port_out_pin_key_id text;

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
  primary key (provider, update_id)
);

-- The event of a call's step, which is a hash of provider, call, kind and stage: however often it is said, it is one event.
create table carriers.call_events (
  call_step uuid primary key,
  event_id uuid not null,
  -- Whose the number was when the step was first told, and the order that had brought it in.
  account_id uuid not null,
  porting_order_id uuid
);
`;

const DOWN = `
drop table carriers.call_events;
drop table carriers.port_out_updates;
drop table carriers.port_out_requests;
alter table orders.numbers drop column port_out_pin_key_id;
drop table orders.port_out_numbers;
drop table orders.port_outs;
`;
