import type { MigrationInterface, QueryRunner } from "typeorm";

/** What carriers published long ago needs no record: no topic has it any more. */
export class CarrierRetention1700000000065 implements MigrationInterface {
  name = "CarrierRetention1700000000065";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// An event's id holds the time at which its call was first seen. Each provider's newest update is kept, because the
// desk's health page shows when a provider was last heard of.
const UP = `
create index updates_received on carriers.updates (received_at);
create index port_out_updates_received on carriers.port_out_updates (received_at);
create index call_events_event on carriers.call_events (event_id);

-- Deletes some of the records of updates, port-out updates and calls that came before the instant, and says how many: no
-- more when that is 0. As in messaging.forget_handled, what the reconciler has yet to look at stays.
create function carriers.forget_handled(before timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  horizon timestamptz;
  first_kept uuid;
  deleted integer;
begin
  select least(before, min(o.created_at)) into horizon from (
    select o.created_at from messaging.outbox o
    where o.id >= (select r.low_id from messaging.reconciliation r) order by o.id limit 1
  ) o;
  first_kept := messaging.uuid_at(horizon);
  with old_updates as materialized (
    select u.provider, u.update_id from carriers.updates u
    where u.received_at < horizon and exists (
      select from carriers.updates n where n.provider = u.provider and n.received_at > u.received_at)
    order by u.received_at limit 5000 for update of u skip locked
  ), updates as (
    delete from carriers.updates u using old_updates o
    where u.provider = o.provider and u.update_id = o.update_id returning 1
  ), old_port_outs as materialized (
    select u.provider, u.update_id from carriers.port_out_updates u
    where u.received_at < horizon order by u.received_at limit 5000 for update skip locked
  ), port_outs as (
    delete from carriers.port_out_updates u using old_port_outs o
    where u.provider = o.provider and u.update_id = o.update_id returning 1
  ), old_calls as materialized (
    select c.call_step from carriers.call_events c
    where c.event_id < first_kept order by c.event_id limit 5000 for update skip locked
  ), calls as (
    delete from carriers.call_events c using old_calls o where c.call_step = o.call_step returning 1
  )
  select (select count(*) from updates) + (select count(*) from port_outs) + (select count(*) from calls)
    into deleted;
  return deleted;
end
$$;
`;

const DOWN = `
drop function carriers.forget_handled;
drop index carriers.call_events_event;
drop index carriers.port_out_updates_received;
drop index carriers.updates_received;
`;
