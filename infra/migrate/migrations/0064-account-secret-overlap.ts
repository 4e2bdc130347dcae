import type { MigrationInterface, QueryRunner } from "typeorm";

/** The account's earlier signing secret, which stays valid for a while after a rotation. */
export class AccountSecretOverlap1700000000064 implements MigrationInterface {
  name = "AccountSecretOverlap1700000000064";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter table webhooks.account_secrets
  add column previous_secret bytea,
  add column previous_secret_key_id text,
  add column previous_secret_expires_at timestamptz;
`;

const DOWN = `
alter table webhooks.account_secrets
  drop column previous_secret,
  drop column previous_secret_key_id,
  drop column previous_secret_expires_at;
`;
