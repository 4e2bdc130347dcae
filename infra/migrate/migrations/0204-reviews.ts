import type { MigrationInterface, QueryRunner } from "typeorm";

/** The porting desk's cases, one per order and attempt, its decisions, and what is found out about their documents. */
export class Reviews1700000000204 implements MigrationInterface {
  name = "Reviews1700000000204";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create schema reviews");
    await runner.query("set local check_function_bodies = off");
    await runner.query(REVIEWS_FUNCTIONS);
    await runner.query(CASES);
    await runner.query(DOCUMENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema reviews cascade");
  }
}

const CASES = `
create table reviews.cases (
  order_id uuid not null,
  attempt integer not null,
  account_id uuid not null,
  state text not null check (state in ('open', 'decided', 'withdrawn')),
  outcome text check (outcome in ('applied', 'superseded')),
  claimed_by uuid,
  claimed_until timestamptz,
  -- How the claim came to its holder.
  handover jsonb,
  submitted_at timestamptz not null,
  due_at timestamptz not null,
  changed_slugs text[] not null default '{}',
  decisions jsonb not null default '[]',
  decided_at timestamptz,
  decided_by uuid,
  -- For the desk's live stream. By a trigger, because several services write cases and none may forget it.
  changed_at timestamptz not null default now(),
  primary key (order_id, attempt)
);
create unique index cases_one_open on reviews.cases (order_id) where state = 'open';
create index cases_queue on reviews.cases (submitted_at, order_id) where state = 'open';
create index cases_claims on reviews.cases (claimed_until) where state = 'open' and claimed_until is not null;
create index cases_due on reviews.cases (due_at) where state = 'open';
create index cases_of_account on reviews.cases (account_id) where state = 'open';
create index closed_cases_of_account on reviews.cases (account_id, submitted_at) where state <> 'open';
create index cases_decided on reviews.cases (decided_at) where state = 'decided';
create index cases_changes on reviews.cases (changed_at);
create trigger cases_changed before insert or update on reviews.cases
  for each row execute function reviews.note_case_change();

-- What an order's values were at each attempt. A value lies in one place, as in orders.requirements; sensitive ones stay
-- sealed, bound to order and slug.
create table reviews.case_values (
  order_id uuid not null,
  attempt integer not null,
  slug text not null,
  value text,
  sealed_value bytea,
  sealed_key_id text,
  masked_value text,
  document_id uuid,
  primary key (order_id, attempt, slug),
  foreign key (order_id, attempt) references reviews.cases (order_id, attempt)
);

-- Each decision of the desk as it was made, so that a message alone decides nothing.
create table reviews.decisions (
  id uuid primary key,
  order_id uuid not null,
  attempt integer not null,
  operator_id uuid not null,
  decisions jsonb not null,
  confirm boolean not null,
  decided_at timestamptz not null,
  foreign key (order_id, attempt) references reviews.cases (order_id, attempt)
);
create index decisions_of_case on reviews.decisions (order_id, attempt);
create index decisions_made on reviews.decisions (decided_at);
`;

const DOCUMENTS = `
-- Documents that wait to be checked, and the one that is being checked.
create table reviews.document_checks (
  request_id uuid primary key,
  order_id uuid not null,
  account_id uuid not null,
  attempt integer not null,
  slug text not null,
  document_id uuid not null,
  requested_at timestamptz not null,
  due_at timestamptz not null,
  tries integer not null default 0,
  -- Of its cause; null where the trace is not sampled.
  traceparent text
);
create index document_checks_due on reviews.document_checks (due_at);

-- What the documents of each case tell: their pages, and which values of the order their text holds.
create table reviews.document_readings (
  order_id uuid not null,
  attempt integer not null,
  slug text not null,
  account_id uuid not null,
  document_id uuid not null,
  requested_at timestamptz not null,
  due_at timestamptz,
  tries integer not null default 0,
  pages integer,
  found jsonb,
  primary key (order_id, attempt, slug)
);
comment on column reviews.document_readings.due_at is 'null: it was read, or given up';
comment on column reviews.document_readings.found is
  'whether and where each value is in the text; never the value, except phone numbers';
create index document_readings_due on reviews.document_readings (due_at) where due_at is not null;

-- What the virus scanner, where there is one, found in each document.
create table reviews.document_scans (
  document_id uuid primary key,
  order_id uuid not null,
  account_id uuid not null,
  attempt integer not null,
  slug text not null,
  state text not null check (state in ('waiting', 'clean', 'infected')),
  signature text,
  requested_at timestamptz not null,
  due_at timestamptz,
  tries integer not null default 0,
  scanned_at timestamptz,
  check ((state = 'waiting') = (due_at is not null)),
  check ((state = 'infected') = (signature is not null))
);
create index document_scans_due on reviews.document_scans (due_at) where due_at is not null;
`;

export const REVIEWS_FUNCTIONS = `
create or replace function reviews.note_case_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$$;

-- The customers' API shows when the desk is due, and reads nothing else of the desk's cases.
create or replace function reviews.case_due_at(of_order uuid, of_attempt integer) returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select c.due_at from reviews.cases c
  where c.order_id = of_order and c.attempt = of_attempt and c.state = 'open'
$$;
`;
