import type { MigrationInterface, QueryRunner } from "typeorm";

/** Porting orders with all that belongs to them, the numbers on the platform, port-outs, and the table of deadlines. */
export class Orders1700000000203 implements MigrationInterface {
  name = "Orders1700000000203";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create schema orders");
    await runner.query("set local check_function_bodies = off");
    await runner.query(ORDERS_FUNCTIONS);
    await runner.query(ORDERS);
    await runner.query(ORDER_INDEXES);
    await runner.query(PARTS);
    await runner.query(NUMBERS);
    await runner.query(PORT_OUTS);
    await runner.query(DEADLINES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema orders cascade");
  }
}

const ORDERS = `
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
  deleted_at timestamptz,
  -- No foreign key: each new order would lock the one row that all of its kind name, and no profile is ever deleted.
  requirement_profile_id uuid not null,
  -- Why it ended; null for those that ended before it was kept.
  closed_reason jsonb,
  -- When the carrier said foc_actual: a date that was said before it moves nothing.
  foc_said_at timestamptz,
  -- The numbers that the request named, whatever is taken out of the order later; null: created by a release before.
  created_numbers smallint
);
`;

const ORDER_INDEXES = `
-- Of one account.
create index porting_orders_list on orders.porting_orders (account_id, id) where deleted_at is null;
create index porting_orders_reference on orders.porting_orders (account_id, customer_reference, id)
  where customer_reference <> '' and deleted_at is null;
create index porting_orders_batch on orders.porting_orders (account_id, batch_id, id);
create index porting_orders_status on orders.porting_orders (account_id, status, id) where deleted_at is null;
create index porting_orders_country on orders.porting_orders (account_id, country_code, id) where deleted_at is null;
create index porting_orders_type on orders.porting_orders (account_id, number_type, id) where deleted_at is null;
create index porting_orders_carrier_name on orders.porting_orders (account_id, lower(btrim(losing_carrier)), id)
  where deleted_at is null;
create index porting_orders_foc on orders.porting_orders (account_id, orders.instant_of(foc_actual))
  where deleted_at is null and foc_actual is not null;
create index porting_orders_discarded on orders.porting_orders (account_id, created_at) include (created_numbers)
  where deleted_at is not null or closed_by = 'customer';

-- Of all accounts, for the desk, whatever it filters by.
create index porting_orders_any_status on orders.porting_orders (status, id) where deleted_at is null;
create index porting_orders_any_provider on orders.porting_orders (provider, id) where deleted_at is null;
create index porting_orders_any_carrier_name on orders.porting_orders (lower(btrim(losing_carrier)), id)
  where deleted_at is null;
create index porting_orders_any_country on orders.porting_orders (country_code, id) where deleted_at is null;
create index porting_orders_any_batch on orders.porting_orders (batch_id, id) where deleted_at is null;
create index porting_orders_any_reference on orders.porting_orders (lower(customer_reference), id)
  where customer_reference <> '' and deleted_at is null;
create index porting_orders_any_foc on orders.porting_orders (orders.instant_of(foc_actual), id)
  where deleted_at is null and foc_actual is not null;
create index porting_orders_attention on orders.porting_orders (id)
  where attention is not null and deleted_at is null;
create index porting_orders_unacknowledged on orders.porting_orders (provider, updated_at)
  where status = 'submitted';
-- Alone, so that counting the open cases does not read every order.
create index porting_orders_under_review on orders.porting_orders (id) include (review_attempt)
  where status in ('in_review');
create index porting_orders_deleted on orders.porting_orders (deleted_at) where deleted_at is not null;

-- The planner ignores the statistics of a partial index: it would walk all orders for a few dates, and sort all of a
-- frequent reference or carrier.
create statistics orders.porting_orders_foc_dates on (orders.instant_of(foc_actual)) from orders.porting_orders;
create statistics orders.porting_orders_references on (lower(customer_reference)) from orders.porting_orders;
create statistics orders.porting_orders_carrier_names on (lower(btrim(losing_carrier))) from orders.porting_orders;
`;

const PARTS = `
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
-- A number is found by its last digits: those are its first ones in reverse.
create index order_numbers_ending on orders.order_numbers (reverse(phone_number) text_pattern_ops, order_id);

-- What is asked of orders of one kind, kept once. The items in the order in which they are asked for: slug, field_type,
-- mandatory, max_age_days. Never changed: orders keep what was asked of them when the catalogue moves on.
create table orders.requirement_profiles (
  id uuid primary key,
  items jsonb not null
);

-- A requirement has a row once it was written. A value lies in one place: plain, sealed (sensitive ones), or as a
-- document. No foreign key: a new order would check it for each row.
create table orders.requirements (
  order_id uuid not null,
  slug text not null,
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

-- The storage backend has the files under the same ids.
create table orders.documents (
  id uuid primary key,
  account_id uuid not null,
  order_id uuid not null references orders.porting_orders (id),
  slug text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null check (length(sha256) = 64),
  created_at timestamptz not null,
  page_texts text[]
);
comment on column orders.documents.page_texts is 'what each page of a letter that we printed states; null: an upload';
create index documents_list on orders.documents (account_id, id);
create index documents_of_order on orders.documents (order_id, id);

-- Internal ones, of comments and of the timeline, are about the service's own plumbing, and for the desk alone.
create table orders.comments (
  id uuid primary key,
  order_id uuid not null references orders.porting_orders (id),
  account_id uuid not null,
  author_type text not null check (author_type in ('customer', 'ops', 'carrier', 'system')),
  author_id text,
  body text not null,
  created_at timestamptz not null,
  internal boolean not null default false
);
create index comments_of_order on orders.comments (order_id, id);

create table orders.timeline (
  id uuid primary key,
  order_id uuid not null references orders.porting_orders (id),
  account_id uuid not null,
  at timestamptz not null,
  kind text not null,
  actor jsonb not null,
  data jsonb not null,
  internal boolean not null default false
);
create index timeline_of_order on orders.timeline (order_id, id);
`;

const NUMBERS = `
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
  port_out_pin_key_id text,
  event_sequence integer not null default 0,
  -- When each of the last day's wrong PINs was given, at most as many as lock the number; and until when it is locked.
  wrong_pins timestamptz[] not null default '{}',
  pin_locked_until timestamptz,
  primary key (account_id, phone_number)
);
create unique index numbers_one_owner on orders.numbers (phone_number) where status <> 'ported_out';
create index numbers_list on orders.numbers (account_id, activated_at, phone_number);
create index numbers_of_order on orders.numbers (account_id, porting_order_id);
-- All accounts that ever had a number.
create index numbers_history on orders.numbers (phone_number);

-- One row per number and account that lost it, written with the loss. "until" is the platform's own time of it: a call
-- that is read after its number has left goes to the account that had it then.
create table orders.former_owners (
  phone_number text not null,
  until timestamptz not null,
  account_id uuid not null,
  porting_order_id uuid,
  since timestamptz not null,
  primary key (phone_number, until, account_id)
);
`;

const PORT_OUTS = `
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
create index port_outs_deadline on orders.port_outs (decision_deadline, id)
  where decision_deadline is not null and account_id is not null;

create table orders.port_out_numbers (
  port_out_id uuid not null references orders.port_outs (id),
  position smallint not null,
  account_id uuid,
  phone_number text not null,
  open boolean not null,
  ported_out_at timestamptz,
  -- Which order brought it in: its events go where that order's do.
  porting_order_id uuid,
  primary key (port_out_id, phone_number)
);
create unique index port_out_numbers_one_open on orders.port_out_numbers (account_id, phone_number) where open;
create index port_out_numbers_find on orders.port_out_numbers (phone_number, port_out_id);
`;

const DEADLINES = `
-- A deadline has a due date or the start of a wait, whose length is a setting of the deployment.
create table orders.deadlines (
  kind text not null,
  subject_id text not null,
  due_at timestamptz,
  since timestamptz,
  primary key (kind, subject_id),
  check ((due_at is null) <> (since is null))
);
create index deadlines_by_kind on orders.deadlines (kind, coalesce(due_at, since));
`;

export const ORDERS_FUNCTIONS = `
-- Immutable, unlike the cast that it contains: dates of orders always have an offset, so no setting changes the result.
create or replace function orders.instant_of(at text) returns timestamptz
language sql immutable strict parallel safe set search_path = pg_catalog, pg_temp as $$
  select at::timestamptz
$$;

-- Of the content, so that the same is kept once.
create or replace function orders.requirement_profile_id(items jsonb) returns uuid
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select encode(substr(sha256(convert_to(items::text, 'UTF8')), 1, 16), 'hex')::uuid
$$;

-- What an account uses of its quotas of drafts and open numbers, for the statement that creates orders. Counts no further
-- than each quota; 0 is none. Near a quota, nearer than what the account can create at once, its creations take turns, so
-- that together they do not exceed it. A volatile function counts again what has been committed meanwhile, in the midst
-- of the statement that calls it.
create or replace function orders.quota_used(account uuid, new_drafts bigint, new_numbers bigint,
  max_drafts integer, max_numbers integer, out drafts bigint, out numbers bigint)
language plpgsql volatile as $$
declare
  drafts_at_once constant integer := 100;
  numbers_at_once constant integer := 20000;
begin
  for pass in 1..2 loop
    select count(*) into drafts from (select from orders.porting_orders o
      where o.account_id = account and o.status = 'draft' and o.deleted_at is null limit max_drafts) one;
    select count(*) into numbers from (select from orders.order_numbers n
      where n.account_id = account and n.live limit max_numbers) one;
    exit when pass = 2;
    exit when (max_drafts = 0 or drafts + new_drafts + drafts_at_once <= max_drafts)
      and (max_numbers = 0 or numbers + new_numbers + numbers_at_once <= max_numbers);
    perform pg_advisory_xact_lock(hashtextextended('order quotas ' || account, 0));
  end loop;
end
$$;

-- For consumers that may not write timelines. Does nothing where there is no such order. The desk alone sees the entry.
create or replace function orders.note_dead_letter(note_id uuid, of_order uuid, noted_at timestamptz, letter jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into orders.timeline (id, order_id, account_id, at, kind, actor, data, internal)
  select note_id, o.id, o.account_id, noted_at, 'ignored', '{"type": "system", "id": null, "name": null}',
    jsonb_build_object('dead_letter', letter), true
  from orders.porting_orders o where o.id = of_order
$$;
`;
