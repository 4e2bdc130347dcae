import type { MigrationInterface, QueryRunner } from "typeorm";

/** When the next attempt to an endpoint with a `max_per_second` may start. */
export class EndpointPace1700000000016 implements MigrationInterface {
  name = "EndpointPace1700000000016";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop table webhooks.endpoint_pace");
  }
}

const UP = `
create table webhooks.endpoint_pace (
  endpoint_id uuid primary key,
  next_at timestamptz not null
) with (fillfactor = 50);
`;
