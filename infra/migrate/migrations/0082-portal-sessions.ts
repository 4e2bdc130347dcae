import type { MigrationInterface, QueryRunner } from "typeorm";

/** Links into the customers' portal, and the browsers that were let in by one. */
export class PortalSessions1700000000082 implements MigrationInterface {
  name = "PortalSessions1700000000082";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
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

const DOWN = `
drop table accounts.portal_cookies;
drop table accounts.portal_sessions;
`;
