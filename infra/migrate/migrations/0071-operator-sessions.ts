import type { MigrationInterface, QueryRunner } from "typeorm";

/** Sessions of the desk's console. Each belongs to a token of its operator, and ends with it. */
export class OperatorSessions1700000000071 implements MigrationInterface {
  name = "OperatorSessions1700000000071";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table accounts.operator_sessions (
      id uuid not null,
      token_hash bytea not null,
      operator_token_id uuid not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz not null,
      constraint operator_sessions_pkey primary key (id),
      constraint operator_sessions_hash unique (token_hash),
      constraint operator_sessions_token foreign key (operator_token_id)
        references accounts.operator_tokens (id)
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table accounts.operator_sessions");
  }
}
