import type { MigrationInterface, QueryRunner } from "typeorm";

/** Indexes for two filters at once: an endpoint's deliveries of a type, or its failed ones, however old. */
export class DeliveryList1700000000019 implements MigrationInterface {
  name = "DeliveryList1700000000019";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- A type that an endpoint was hardly ever told of is looked for in the index alone. An index led by both would find it
-- at once, but every delivery would pay for it, twice.
create index deliveries_endpoint_types on webhooks.deliveries (account_id, endpoint_id, id)
  include (event_type, created_at);
drop index webhooks.deliveries_endpoint;

-- A delivery that succeeds is never in it.
create index deliveries_endpoint_failures on webhooks.deliveries (account_id, endpoint_id, status, id)
  where status in ('failed', 'skipped', 'cancelled');
`;

const DOWN = `
drop index webhooks.deliveries_endpoint_failures;
create index deliveries_endpoint on webhooks.deliveries (account_id, endpoint_id, id);
drop index webhooks.deliveries_endpoint_types;
`;
