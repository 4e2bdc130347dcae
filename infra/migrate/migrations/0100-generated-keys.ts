import type { MigrationInterface, QueryRunner } from "typeorm";

/** Keys that the services generate for themselves: that of the fingerprints of idempotent_replies (docs/adr/0051). */
export class GeneratedKeys1700000000100 implements MigrationInterface {
  name = "GeneratedKeys1700000000100";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table messaging.generated_keys");
  }
}

const UP = `
create table messaging.generated_keys (
  purpose text primary key,
  sealed_key bytea not null,
  sealed_key_id text not null
);
`;
