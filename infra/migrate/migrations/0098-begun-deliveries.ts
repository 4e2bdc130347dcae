import type { MigrationInterface, QueryRunner } from "typeorm";

/** Deliveries that are created as claimed lie in a narrow table until their attempts have ended. */
export class BegunDeliveries1700000000098 implements MigrationInterface {
  name = "BegunDeliveries1700000000098";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(ENDED);
    await runner.query(partitionsWith(ROOM_FOR_THE_REST, ROOM_FOR_ALL));
    await runner.query(droppingUnless(WAITING_OR_BEGUN));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(droppingUnless(WAITING));
    await runner.query(DOWN);
    await runner.query(partitionsWith(ROOM_FOR_ALL, ROOM_FOR_THE_REST));
  }
}

/** The percentages of a page that inserts may fill, so that claims find room in it: of most deliveries, and of the rest. */
const [ROOM_FOR_ALL, ROOM_FOR_THE_REST] = [50, 80];

// What such a delivery has in common with all others is not here: it is of an event, to an endpoint, and its first attempt.
const TABLE = `
-- Rows come and go, and a look for the oldest passes every dead one.
create table webhooks.begun_deliveries (
  created_at timestamptz not null,
  claimed_at timestamptz not null,
  lease_until timestamptz not null,
  id uuid primary key,
  account_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  order_id uuid,
  event_type text not null,
  url text not null,
  traceparent text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
`;

const KEPT = `insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
    endpoint_id, endpoint_key, order_id, url, traceparent, attempt_count, claim_no, claimed_at, lease_until, status,
    next_attempt_at)
  select b.id, b.created_at, b.account_id, b.event_id, b.event_type, b.created_at, b.event_id, 'event',
    b.endpoint_id, b.endpoint_id, b.order_id, b.url, b.traceparent, 1, 1, b.claimed_at, b.lease_until, 'pending',
    b.claimed_at`;

const ENDED = `
-- Keeps those to an endpoint whose sender ended in their attempts, for who may not add deliveries.
create function webhooks.keep_ended_at(endpoint uuid, at timestamptz) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  with b as (
    delete from webhooks.begun_deliveries e where e.endpoint_id = endpoint and e.lease_until <= at returning e.*
  )
  ${KEPT} from b
$$;
`;

const DOWN = `
lock table webhooks.begun_deliveries in access exclusive mode;
${KEPT} from webhooks.begun_deliveries b;
drop function webhooks.keep_ended_at;
drop table webhooks.begun_deliveries;
`;

/** As in 0033, but for the percentage, which partitions with the other one get too. */
function partitionsWith(fillFactor: number, before: number): string {
  return `
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
    execute format('alter table %s set (fillfactor = ${fillFactor})', part.name);
  end loop;
  return made;
end
$$;

do $$
declare
  part record;
begin
  for part in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhooks.deliveries'::regclass and 'fillfactor=${before}' = any(c.reloptions)
  loop
    execute format('alter table %s set (fillfactor = ${fillFactor})', part.name);
  end loop;
end
$$;
`;
}

const WAITING = "exists (select from webhooks.%1$I where status in (''pending'', ''retrying''))";
const WAITING_OR_BEGUN = `${WAITING}
      or exists (select from webhooks.begun_deliveries where created_at < %2$L)`;

/** As in 0086, but for what keeps a month's partition. */
function droppingUnless(kept: string): string {
  return `
create or replace function webhooks.drop_delivery_partition(before timestamptz) returns text
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
    execute format('select ${kept}', child.name, child.ended) into is_waiting;
    continue when is_waiting;
    lock table only webhooks.deliveries in access exclusive mode;
    execute format('lock table webhooks.%I in access exclusive mode', child.name);
    execute format('select ${kept}', child.name, child.ended) into is_waiting;
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
}
