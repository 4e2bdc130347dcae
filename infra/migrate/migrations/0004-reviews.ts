import type { MigrationInterface, QueryRunner } from "typeorm";

/** The porting desk's cases: one per order and attempt. */
export class Reviews1700000000004 implements MigrationInterface {
  name = "Reviews1700000000004";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema reviews cascade");
  }
}

const UP = `
create schema reviews;

create table reviews.cases (
  order_id uuid not null,
  attempt integer not null,
  account_id uuid not null,
  state text not null check (state in ('open', 'decided', 'withdrawn')),
  outcome text check (outcome in ('applied', 'superseded')),
  claimed_by uuid,
  claimed_until timestamptz,
  submitted_at timestamptz not null,
  due_at timestamptz not null,
  changed_slugs text[] not null default '{}',
  decisions jsonb not null default '[]',
  decided_at timestamptz,
  decided_by uuid,
  primary key (order_id, attempt)
);
create unique index cases_one_open on reviews.cases (order_id) where state = 'open';
create index cases_queue on reviews.cases (submitted_at, order_id) where state = 'open';
`;
