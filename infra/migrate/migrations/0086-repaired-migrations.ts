import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * Four migrations were edited after databases had run them: 0012, 0018, 0053 and 0077; one, 0074, was removed again.
 * Brings those databases to what the migrations say now, and changes nothing elsewhere.
 */
export class RepairedMigrations1700000000086 implements MigrationInterface {
  name = "RepairedMigrations1700000000086";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  /** What it leaves is the result of the migrations before it. */
  async down(): Promise<void> {
    await Promise.resolve();
  }
}

const UP = `
-- 0012: a call's step keeps the account and the order that its event is for. The log knows them of every event that was
-- stored; a step without one was claimed and never published, and is claimed again when its call is read again.
alter table carriers.call_events
  add column if not exists account_id uuid,
  add column if not exists porting_order_id uuid,
  drop column if exists kafka_partition,
  drop column if exists kafka_offset;
update carriers.call_events c set account_id = l.account_id, porting_order_id = l.order_id
  from events.log l
  where l.id = c.event_id and l.created_at = messaging.time_of(c.event_id) and c.account_id is null;
delete from carriers.call_events where account_id is null;
alter table carriers.call_events alter column account_id set not null;

-- 0018: the names of other tables are not read as months.
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

-- 0053 and 0077: the statistics without which their indexes are not used.
create statistics if not exists orders.porting_orders_foc_dates
  on (orders.instant_of(foc_actual)) from orders.porting_orders;
create statistics if not exists orders.porting_orders_references
  on (lower(customer_reference)) from orders.porting_orders;

-- 0074: order_numbers_ending of 0077 serves its search.
drop index if exists orders.order_numbers_reversed;
`;
