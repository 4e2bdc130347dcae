import type { MigrationInterface, QueryRunner } from "typeorm";

/** What an order's values were at each attempt, how a claim came to its holder, and an account's cases. */
export class CaseWork1700000000073 implements MigrationInterface {
  name = "CaseWork1700000000073";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter table reviews.cases add column handover jsonb;

-- A value lies in one place, as in orders.requirements; sensitive ones stay sealed, bound to order and slug.
create table reviews.case_values (
  order_id uuid not null,
  attempt integer not null,
  slug text not null,
  value text,
  sealed_value bytea,
  sealed_key_id text,
  masked_value text,
  document_id uuid,
  primary key (order_id, attempt, slug),
  foreign key (order_id, attempt) references reviews.cases (order_id, attempt)
);

create index closed_cases_of_account on reviews.cases (account_id, submitted_at) where state <> 'open';
`;

const DOWN = `
drop index reviews.closed_cases_of_account;
drop table reviews.case_values;
alter table reviews.cases drop column handover;
`;
