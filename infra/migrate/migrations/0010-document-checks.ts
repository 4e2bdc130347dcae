import type { MigrationInterface, QueryRunner } from "typeorm";

/** Documents that wait to be checked, and the one that is being checked. */
export class DocumentChecks1700000000010 implements MigrationInterface {
  name = "DocumentChecks1700000000010";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table reviews.document_checks");
  }
}

const UP = `
create table reviews.document_checks (
  request_id uuid primary key,
  order_id uuid not null,
  account_id uuid not null,
  attempt integer not null,
  slug text not null,
  document_id uuid not null,
  requested_at timestamptz not null,
  due_at timestamptz not null,
  tries integer not null default 0
);
create index document_checks_due on reviews.document_checks (due_at);
`;
