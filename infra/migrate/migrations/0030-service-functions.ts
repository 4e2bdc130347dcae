import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Actions that a service may take only through a function of the owner: storing events, and creating partitions of a
 * table that the function itself names. grants.ts lists who may call them.
 */
export class ServiceFunctions1700000000030 implements MigrationInterface {
  name = "ServiceFunctions1700000000030";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter function events.store security definer set search_path = pg_catalog, pg_temp;

create function messaging.make_outbox_partitions(first timestamptz, last timestamptz) returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select messaging.make_partitions('messaging.outbox', 'day', first, last)
$$;

create function webhooks.make_delivery_partitions(first timestamptz, last timestamptz) returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select messaging.make_partitions('webhooks.deliveries', 'month', first, last)
$$;
`;

const DOWN = `
drop function webhooks.make_delivery_partitions;
drop function messaging.make_outbox_partitions;
alter function events.store security invoker reset search_path;
`;
