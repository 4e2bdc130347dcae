import type { MigrationInterface, QueryRunner } from "typeorm";

/** Customers, their API keys, the desk's operators and the audit log of their actions. */
export class Accounts1700000000002 implements MigrationInterface {
  name = "Accounts1700000000002";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema accounts cascade");
  }
}

const UP = `
create schema accounts;

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

create table accounts.operators (
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  constraint operators_pkey primary key (id),
  constraint operators_name unique (name)
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

create table accounts.audit_log (
  id uuid not null primary key,
  at timestamptz not null,
  operator_id uuid,
  operator_name text not null,
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

create function accounts.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_log_rows before update or delete on accounts.audit_log
  for each row execute function accounts.refuse_change();
create trigger audit_log_truncate before truncate on accounts.audit_log
  for each statement execute function accounts.refuse_change();
alter table accounts.audit_log enable always trigger audit_log_rows;
alter table accounts.audit_log enable always trigger audit_log_truncate;
`;
