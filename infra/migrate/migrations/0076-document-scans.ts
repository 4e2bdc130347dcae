import type { MigrationInterface, QueryRunner } from "typeorm";

/** What the virus scanner, where there is one, found in each document. */
export class DocumentScans1700000000076 implements MigrationInterface {
  name = "DocumentScans1700000000076";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table reviews.document_scans");
  }
}

const UP = `
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
