import type { MigrationInterface, QueryRunner } from "typeorm";

/** Jobs that send an endpoint the events that it missed. */
export class Recoveries1700000000017 implements MigrationInterface {
  name = "Recoveries1700000000017";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table webhooks.recoveries");
  }
}

const UP = `
-- created_at is also the instant of all of its deliveries, so that they are found by it.
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
`;
