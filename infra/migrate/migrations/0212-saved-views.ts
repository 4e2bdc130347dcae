import type { MigrationInterface, QueryRunner } from "typeorm";

/** The desk's lists as operators have named them. */
export class SavedViews1700000000212 implements MigrationInterface {
  name = "SavedViews1700000000212";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SAVED_VIEWS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table accounts.saved_views");
  }
}

const SAVED_VIEWS = `
create table accounts.saved_views (
  id uuid primary key,
  -- Null for a view of all operators.
  operator_id uuid references accounts.operators (id),
  -- The page of the desk, and what stands behind the question mark of its address.
  screen text not null,
  name text not null,
  search text not null,
  created_at timestamptz not null
);
create unique index saved_views_name on accounts.saved_views (operator_id, screen, name) nulls not distinct;
`;
