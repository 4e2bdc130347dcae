import type { MigrationInterface, QueryRunner } from "typeorm";

/** Requests to carriers and their updates, each recorded once. */
export class Carriers1700000000005 implements MigrationInterface {
  name = "Carriers1700000000005";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema carriers cascade");
  }
}

const UP = `
create schema carriers;

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
  primary key (provider, update_id)
);
`;
