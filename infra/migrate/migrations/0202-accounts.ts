import type { MigrationInterface, QueryRunner } from "typeorm";

/** Customers and their API keys, links into their portal, the desk's operators, and the audit log of what all of them do. */
export class Accounts1700000000202 implements MigrationInterface {
  name = "Accounts1700000000202";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create schema accounts");
    await runner.query(ACCOUNTS_FUNCTIONS);
    await runner.query(CUSTOMERS);
    await runner.query(OPERATORS);
    await runner.query(AUDIT_LOG);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema accounts cascade");
  }
}

const CUSTOMERS = `
create table accounts.accounts (
  id uuid not null,
  name text not null,
  status text not null default 'active',
  created_at timestamptz not null,
  constraint accounts_pkey primary key (id),
  constraint accounts_status check (status in ('active', 'suspended'))
);
create index accounts_created on accounts.accounts (created_at, id);

create table accounts.api_keys (
  id uuid not null,
  account_id uuid not null,
  name text,
  prefix text not null,
  key_hash bytea not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_account foreign key (account_id) references accounts.accounts (id),
  constraint api_keys_hash unique (key_hash)
);
create index api_keys_of_account on accounts.api_keys (account_id, id);

-- Links into the customers' portal, and the browsers that were let in by one.
create table accounts.portal_sessions (
  id uuid primary key,
  account_id uuid not null references accounts.accounts (id),
  -- The key that made it; the session ends with the key.
  api_key_id uuid not null references accounts.api_keys (id),
  -- Null for the whole account. No reference: a deleted draft leaves a session that reaches nothing.
  order_id uuid,
  link_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the link was first exchanged for a cookie.
  opened_at timestamptz,
  ended_at timestamptz
);
create index portal_sessions_of_account on accounts.portal_sessions (account_id, id);
create index portal_sessions_by_expiry on accounts.portal_sessions (expires_at);

create table accounts.portal_cookies (
  cookie_hash bytea primary key,
  session_id uuid not null references accounts.portal_sessions (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index portal_cookies_of_session on accounts.portal_cookies (session_id, created_at);
create index portal_cookies_by_expiry on accounts.portal_cookies (expires_at);
`;

const OPERATORS = `
create table accounts.operators (
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  role text not null,
  active boolean not null default true,
  constraint operators_pkey primary key (id),
  constraint operators_name unique (name),
  constraint operators_role check (role in ('viewer', 'reviewer', 'lead', 'admin'))
);

create table accounts.operator_tokens (
  id uuid not null,
  operator_id uuid not null,
  prefix text not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint operator_tokens_pkey primary key (id),
  constraint operator_tokens_operator foreign key (operator_id) references accounts.operators (id),
  constraint operator_tokens_hash unique (token_hash)
);

-- Sessions of the desk's console. Each belongs to a token of its operator, and ends with it.
create table accounts.operator_sessions (
  id uuid not null,
  token_hash bytea not null,
  operator_token_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz not null,
  constraint operator_sessions_pkey primary key (id),
  constraint operator_sessions_hash unique (token_hash),
  constraint operator_sessions_token foreign key (operator_token_id) references accounts.operator_tokens (id)
);
`;

const AUDIT_LOG = `
-- Also what customers do with their keys, and what the system does by itself.
create table accounts.audit_log (
  id uuid not null primary key,
  at timestamptz not null,
  actor_type text not null default 'operator' check (actor_type in ('operator', 'customer', 'system')),
  operator_id uuid,
  operator_name text not null,
  -- The key by which a customer acted.
  api_key_id uuid,
  action text not null,
  account_id uuid,
  porting_order_id uuid,
  request_id text,
  before jsonb,
  after jsonb
);
create index audit_log_order on accounts.audit_log (porting_order_id, id) where porting_order_id is not null;
create index audit_log_account on accounts.audit_log (account_id, id) where account_id is not null;
create index audit_log_operator on accounts.audit_log (operator_id, id);
create index audit_log_action on accounts.audit_log (action, id);

create trigger audit_log_rows before update or delete on accounts.audit_log
  for each row execute function accounts.refuse_change();
create trigger audit_log_truncate before truncate on accounts.audit_log
  for each statement execute function accounts.refuse_change();
alter table accounts.audit_log enable always trigger audit_log_rows;
alter table accounts.audit_log enable always trigger audit_log_truncate;
`;

export const ACCOUNTS_FUNCTIONS = `
create or replace function accounts.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end
$$;
`;
