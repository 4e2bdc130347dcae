import type { MigrationInterface, QueryRunner } from "typeorm";

/** Each decision of the desk as it was made, so that a message alone decides nothing. */
export class ReviewDecisions1700000000046 implements MigrationInterface {
  name = "ReviewDecisions1700000000046";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table reviews.decisions");
  }
}

const UP = `
create table reviews.decisions (
  id uuid primary key,
  order_id uuid not null,
  attempt integer not null,
  operator_id uuid not null,
  decisions jsonb not null,
  confirm boolean not null,
  decided_at timestamptz not null,
  foreign key (order_id, attempt) references reviews.cases (order_id, attempt)
);
create index decisions_of_case on reviews.decisions (order_id, attempt);
`;
