import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Every delivery is updated at least twice. With free space in its page, a claim, which changes no indexed column,
 * writes to no index.
 */
export class DeliveryRoom1700000000033 implements MigrationInterface {
  name = "DeliveryRoom1700000000033";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
create or replace function webhooks.make_delivery_partitions(first timestamptz, last timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made integer := messaging.make_partitions('webhooks.deliveries', 'month', first, last);
  part record;
begin
  for part in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhooks.deliveries'::regclass and c.reloptions is null
  loop
    execute format('alter table %s set (fillfactor = 50)', part.name);
  end loop;
  return made;
end
$$;

select webhooks.make_delivery_partitions(now(), now());
`;

const DOWN = `
create or replace function webhooks.make_delivery_partitions(first timestamptz, last timestamptz) returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select messaging.make_partitions('webhooks.deliveries', 'month', first, last)
$$;
`;
