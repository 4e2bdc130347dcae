import type { MigrationInterface, QueryRunner } from "typeorm";

/** The delivery log drops whole months, where a retention is set. */
export class DeliveryRetention1700000000018 implements MigrationInterface {
  name = "DeliveryRetention1700000000018";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
-- Of causes before it no delivery may be left: what is not found there is not missing.
create table webhooks.delivery_retention (
  one boolean primary key default true check (one),
  dropped_before timestamptz not null default '-infinity'
);
insert into webhooks.delivery_retention default values;

-- Drops the oldest month that ended by the given instant and in which nothing waits to be sent, and names it; null
-- where there is none. Readers and writers wait for at most 200 ms; where the locks cannot be had, the next call tries
-- again. The parent comes first, as in every query: the other way round the two would wait for each other.
create function webhooks.drop_delivery_partition(before timestamptz) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '200ms'
set timezone = 'UTC' as $$
declare
  child record;
  is_waiting boolean;
begin
  for child in
    -- The condition guards the cast: the planner may look at every table's name before it looks whose child it is.
    select m.name, m.ended from (
      select c.relname as name, case when c.relname ~ '_[0-9]{6}$'
        then to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' end as ended
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'webhooks.deliveries'::regclass
    ) m
    where m.ended <= before
    order by m.name
  loop
    execute format('select exists (select from webhooks.%I where status in (''pending'', ''retrying''))', child.name)
      into is_waiting;
    continue when is_waiting;
    lock table only webhooks.deliveries in access exclusive mode;
    execute format('lock table webhooks.%I in access exclusive mode', child.name);
    execute format('select exists (select from webhooks.%I where status in (''pending'', ''retrying''))', child.name)
      into is_waiting;
    continue when is_waiting;
    execute format('drop table webhooks.%I', child.name);
    update webhooks.delivery_retention set dropped_before = greatest(dropped_before, child.ended);
    return child.name;
  end loop;
  return null;
exception when lock_not_available then
  return null;
end
$$;
`;

const DOWN = `
drop function webhooks.drop_delivery_partition;
drop table webhooks.delivery_retention;
`;
