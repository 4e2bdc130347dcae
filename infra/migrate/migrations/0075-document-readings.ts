import type { MigrationInterface, QueryRunner } from "typeorm";

/** What the documents of each case tell: their pages, and which values of the order their text holds. */
export class DocumentReadings1700000000075 implements MigrationInterface {
  name = "DocumentReadings1700000000075";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table reviews.document_readings");
  }
}

const UP = `
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
comment on column reviews.document_readings.found is 'whether and where each value is in the text; never the value, except phone numbers';
create index document_readings_due on reviews.document_readings (due_at) where due_at is not null;
`;
