import type { MigrationInterface, QueryRunner } from "typeorm";

/** How the numbers of an account's next orders are set unless the orders say so. */
export class NumberDefaults1700000000222 implements MigrationInterface {
  name = "NumberDefaults1700000000222";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DEFAULTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table accounts.number_defaults");
  }
}

const DEFAULTS = `
create table accounts.number_defaults (
  account_id uuid primary key references accounts.accounts (id),
  -- {primary, fallback}
  forwarding jsonb,
  port_out_lock boolean not null,
  updated_at timestamptz not null
);
`;
