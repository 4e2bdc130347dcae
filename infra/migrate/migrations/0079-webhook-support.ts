import type { MigrationInterface, QueryRunner } from "typeorm";

/** The desk supports webhooks over all accounts: which endpoints fail, since when, and what was not delivered. */
export class WebhookSupport1700000000079 implements MigrationInterface {
  name = "WebhookSupport1700000000079";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- The first failed attempt since the last success.
alter table webhooks.endpoint_health add column failing_since timestamptz;
update webhooks.endpoint_health set failing_since = coalesce(first_failed_at, last_failure_at)
  where consecutive_failures > 0;

-- A delivery that succeeds is never in it.
create index deliveries_any_failure on webhooks.deliveries (status, id)
  where status in ('failed', 'skipped', 'cancelled');
`;

const DOWN = `
drop index webhooks.deliveries_any_failure;
alter table webhooks.endpoint_health drop column failing_since;
`;
