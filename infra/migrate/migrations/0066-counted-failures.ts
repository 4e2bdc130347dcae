import type { MigrationInterface, QueryRunner } from "typeorm";

/** A delivery that is retried by hand and fails again is still one failed delivery. */
export class CountedFailures1700000000066 implements MigrationInterface {
  name = "CountedFailures1700000000066";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("alter table webhooks.deliveries drop column failed_at");
  }
}

const UP = `
-- When it last failed for good; counted towards the endpoint's pause once since the endpoint's last success.
alter table webhooks.deliveries add column failed_at timestamptz;
`;
