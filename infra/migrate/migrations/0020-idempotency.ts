import type { MigrationInterface, QueryRunner } from "typeorm";

/** Answers to requests with an Idempotency-Key, kept for a day. */
export class Idempotency1700000000020 implements MigrationInterface {
  name = "Idempotency1700000000020";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table messaging.idempotent_replies");
  }
}

const UP = `
create table messaging.idempotent_replies (
  owner text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  -- The JSON text, or its sealed bytes where it shows a secret.
  body bytea,
  is_sealed boolean not null,
  created_at timestamptz not null,
  primary key (owner, key)
);
create index idempotent_replies_age on messaging.idempotent_replies (created_at);
`;
