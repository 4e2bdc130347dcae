import type { MigrationInterface, QueryRunner } from "typeorm";

/** Deliveries have ids in the order in which they become visible, and none lies in a table of its own (docs/adr/0058). */
export class DeliveriesInOrder1700000000121 implements MigrationInterface {
  name = "DeliveriesInOrder1700000000121";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TIMES);
    await runner.query(BODIES);
    await runner.query(BEGUN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const TIMES = `
-- The first instant that no delivery of an account has yet. A row is locked from the making of deliveries to their commit.
create table webhooks.delivery_times (
  account_id uuid primary key,
  next_at timestamptz not null
) with (fillfactor = 50);

insert into webhooks.delivery_times (account_id, next_at)
  select a.id, d.created_at + interval '1 millisecond' from accounts.accounts a
  cross join lateral (
    select l.created_at from webhooks.deliveries l where l.account_id = a.id order by l.id desc limit 1
  ) d;

-- When the next deliveries of each account are made, so many of them: later than all before, also where the clock was
-- set back, and not before these are visible. 4,096 share a millisecond.
create function webhooks.next_delivery_times(accounts uuid[], counts bigint[])
returns table (account_id uuid, at timestamptz)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with asked as materialized (
    select u.account_id, (1 + (u.made - 1) / 4096) * interval '1 millisecond' as span
    from unnest(accounts, counts) u (account_id, made)
  ), taken as (
    insert into webhooks.delivery_times as t (account_id, next_at)
    select a.account_id, date_trunc('milliseconds', clock_timestamp()) + a.span from asked a order by a.account_id
    on conflict (account_id) do update
      set next_at = greatest(t.next_at, date_trunc('milliseconds', clock_timestamp()))
        + (select a.span from asked a where a.account_id = t.account_id)
    returning t.account_id, t.next_at
  )
  select t.account_id, t.next_at - a.span from taken t join asked a using (account_id);
end
$$;
`;

const BODIES = `
-- The bodies that the log has, also those that the statement which asks has just stored. Each is looked up by its key: a
-- plain join was planned as a scan of the whole log, which was small when it was planned, for every batch.
create function events.bodies_of(ids uuid[], times timestamptz[]) returns table (id uuid, body bytea)
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query select u.id, l.body from unnest(ids, times) u (id, at) cross join lateral (
      select b.body from events.log b where b.id = u.id and b.created_at = u.at offset 0
    ) l;
end
$$;
`;

// The table stays for senders of the release before, which may run on for a while: what these begin is put among all
// others, where they find what they had under way, and the sweep what they would attempt at once.
const BEGUN = `
lock table webhooks.begun_deliveries in access exclusive mode;

with b as (delete from webhooks.begun_deliveries returning *)
insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
    endpoint_id, endpoint_key, order_id, url, traceparent, attempt_count, claim_no, claimed_at, lease_until, status,
    next_attempt_at)
  select b.id, b.created_at, b.account_id, b.event_id, b.event_type, b.created_at, b.event_id, 'event',
    b.endpoint_id, b.endpoint_id, b.order_id, b.url, b.traceparent, 1, 1, b.claimed_at, b.lease_until, 'pending',
    b.claimed_at from b;

create function webhooks.keep_begun() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
    endpoint_id, endpoint_key, order_id, url, traceparent, status, next_attempt_at)
  values (new.id, new.created_at, new.account_id, new.event_id, new.event_type, new.created_at, new.event_id, 'event',
    new.endpoint_id, new.endpoint_id, new.order_id, new.url, new.traceparent, 'pending', new.claimed_at);
  return null;
end
$$;
create trigger begun_deliveries_kept before insert on webhooks.begun_deliveries
  for each row execute function webhooks.keep_begun();
`;

const DOWN = `
drop trigger begun_deliveries_kept on webhooks.begun_deliveries;
drop function webhooks.keep_begun;
drop function events.bodies_of;
drop function webhooks.next_delivery_times;
drop table webhooks.delivery_times;
`;
