import type { MigrationInterface, QueryRunner } from "typeorm";

/** What accounts keep of holders for their next orders. */
export class RequirementGroups1700000000220 implements MigrationInterface {
  name = "RequirementGroups1700000000220";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(GROUPS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table orders.requirement_groups");
  }
}

const GROUPS = `
create table orders.requirement_groups (
  id uuid primary key,
  account_id uuid not null references accounts.accounts (id),
  name text not null,
  -- By slug: a text as it was sent, or the id of an upload.
  requirements jsonb not null,
  -- The uploads among them, which stay for as long as the group names them.
  document_ids uuid[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index requirement_groups_by_account on orders.requirement_groups (account_id, id);
`;
