import type { MigrationInterface, QueryRunner } from "typeorm";

/** The failures that decide whether an endpoint is paused automatically. */
export class EndpointFailures1700000000015 implements MigrationInterface {
  name = "EndpointFailures1700000000015";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- Deliveries that failed for good since the last success, and when the first and the last of them did.
alter table webhooks.endpoint_health
  add column failed_deliveries integer not null default 0,
  add column first_failed_at timestamptz,
  add column last_failed_at timestamptz;
create index endpoint_health_failing on webhooks.endpoint_health (endpoint_id) where failed_deliveries > 0;

-- When it was last set active again: a success before that says nothing of now.
alter table webhooks.endpoints add column resumed_at timestamptz;
`;

const DOWN = `
alter table webhooks.endpoints drop column resumed_at;
drop index webhooks.endpoint_health_failing;
alter table webhooks.endpoint_health
  drop column failed_deliveries, drop column first_failed_at, drop column last_failed_at;
`;
