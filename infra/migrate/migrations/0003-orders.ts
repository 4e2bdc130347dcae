import type { MigrationInterface, QueryRunner } from "typeorm";

/** Porting orders with their numbers and timeline, the numbers on the platform, and the table of deadlines. */
export class Orders1700000000003 implements MigrationInterface {
  name = "Orders1700000000003";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema orders cascade");
  }
}

const UP = `
create schema orders;

create table orders.porting_orders (
  id uuid primary key,
  account_id uuid not null,
  batch_id uuid not null,
  status text not null,
  closed_by text check (closed_by in ('customer', 'provider', 'ops')),
  provider text not null,
  provider_status text not null default '',
  provider_status_at timestamptz,
  country_code text not null,
  number_type text not null,
  losing_carrier text,
  customer_reference text not null default '',
  webhook_url text,
  requirements_status boolean not null default true,
  foc_requested text,
  foc_actual text,
  request_version integer not null default 0,
  review_attempt integer not null default 0,
  exceptions jsonb not null default '[]',
  attention jsonb,
  cancel jsonb,
  event_sequence integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  submitted_at timestamptz,
  closed_at timestamptz,
  deleted_at timestamptz
);
create index porting_orders_list on orders.porting_orders (account_id, id) where deleted_at is null;
create index porting_orders_reference on orders.porting_orders (account_id, customer_reference, id)
  where customer_reference <> '' and deleted_at is null;
create index porting_orders_batch on orders.porting_orders (account_id, batch_id, id);
create index porting_orders_status on orders.porting_orders (account_id, status, id) where deleted_at is null;

create table orders.order_numbers (
  order_id uuid not null references orders.porting_orders (id),
  position smallint not null,
  account_id uuid not null,
  phone_number text not null,
  live boolean not null default true,
  status text not null default 'pending'
    check (status in ('pending', 'activating', 'active', 'failed', 'cancelled')),
  failure_code text,
  activated_at timestamptz,
  primary key (order_id, phone_number)
);
create unique index order_numbers_one_live on orders.order_numbers (account_id, phone_number) where live;
create index order_numbers_find on orders.order_numbers (phone_number, order_id);

-- A value lies in one place: plain, sealed (sensitive ones), or as a document.
create table orders.requirements (
  order_id uuid not null references orders.porting_orders (id),
  position smallint not null,
  slug text not null,
  field_type text not null check (field_type in ('document', 'text', 'address', 'date', 'choice')),
  mandatory boolean not null,
  max_age_days integer,
  status text not null default 'requirement-info-pending',
  exception_reason text,
  value text,
  sealed_value bytea,
  sealed_key_id text,
  masked_value text,
  document_id uuid,
  document_date timestamptz,
  check_state text not null default 'none' check (check_state in ('none', 'checking', 'passed', 'failed')),
  check_code text,
  check_detail text,
  changed boolean not null default false,
  updated_at timestamptz,
  primary key (order_id, slug)
);

create table orders.comments (
  id uuid primary key,
  order_id uuid not null references orders.porting_orders (id),
  account_id uuid not null,
  author_type text not null check (author_type in ('customer', 'ops', 'carrier', 'system')),
  author_id text,
  body text not null,
  created_at timestamptz not null
);
create index comments_of_order on orders.comments (order_id, id);

create table orders.timeline (
  id uuid primary key,
  order_id uuid not null references orders.porting_orders (id),
  account_id uuid not null,
  at timestamptz not null,
  kind text not null,
  actor jsonb not null,
  data jsonb not null
);
create index timeline_of_order on orders.timeline (order_id, id);

create table orders.numbers (
  account_id uuid not null,
  phone_number text not null,
  status text not null check (status in ('active', 'porting_out', 'ported_out')),
  country_code text not null,
  number_type text not null,
  provider text not null,
  porting_order_id uuid,
  activated_at timestamptz not null,
  forwarding jsonb,
  port_out_lock boolean not null default false,
  port_out_pin bytea,
  event_sequence integer not null default 0,
  primary key (account_id, phone_number)
);
create index numbers_list on orders.numbers (account_id, activated_at, phone_number);
create unique index numbers_one_owner on orders.numbers (phone_number) where status <> 'ported_out';

create table orders.deadlines (
  kind text not null,
  subject_id text not null,
  due_at timestamptz not null,
  primary key (kind, subject_id)
);
create index deadlines_due on orders.deadlines (due_at);
`;
