import type { MigrationInterface, QueryRunner } from "typeorm";

/** The permanent event log: append-only, each event id once, numbered densely per account. */
export class Events1700000000207 implements MigrationInterface {
  name = "Events1700000000207";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create schema events");
    await runner.query(EVENTS_FUNCTIONS);
    await runner.query(LOG);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema events cascade");
  }
}

const LOG = `
create table events.feed_counters (
  account_id uuid primary key,
  last_seq bigint not null default 0,
  reached timestamptz not null default '-infinity'
) with (fillfactor = 50);

-- "reached" is the latest time that the event's feed had come to with it, which never decreases from one number to the
-- next: lists by date are ranges of the feed. "context" is what the envelope tells analysts (docs/adr/0023).
create table events.log (
  id uuid not null,
  account_id uuid not null,
  seq bigint not null,
  type text not null,
  order_id uuid,
  sequence_key text not null,
  order_sequence integer,
  created_at timestamptz not null,
  stored_at timestamptz not null default now(),
  body bytea not null,
  reached timestamptz not null,
  context jsonb,
  primary key (id, created_at)
) partition by range (created_at);

create unique index log_feed on events.log (account_id, seq, created_at);
create index log_of_order on events.log (account_id, order_id, seq) where order_id is not null;
create index log_of_type on events.log (account_id, type, seq);
create index log_reached on events.log (account_id, reached, seq);
-- Events that came late.
create index log_late on events.log (account_id, created_at, seq) where reached - created_at > interval '1 minute';
-- All events of a batch share stored_at, so that its index is small. The other two leave nearly every event out.
create index log_stored on events.log (stored_at);
create index log_rejections on events.log (created_at) where context ? 'rejection';
create index log_calls on events.log (created_at)
  where type in ('call.forwarded', 'call.completed', 'call.missed');

create trigger log_rows before update or delete on events.log
  for each row execute function events.refuse_change();
create trigger log_truncate before truncate on events.log
  for each statement execute function events.refuse_change();
alter table events.log enable always trigger log_rows;
alter table events.log enable always trigger log_truncate;

select events.make_log_partitions(now() - interval '1 month', now() + interval '3 months');
`;

export const EVENTS_FUNCTIONS = `
create or replace function events.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the event log is append-only' using errcode = 'insufficient_privilege';
end
$$;

-- Row triggers reach new partitions by themselves; ENABLE ALWAYS and statement triggers do not.
create or replace function events.make_log_partitions(first timestamptz, last timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  made integer := messaging.make_partitions('events.log', 'month', first, last);
  child regclass;
begin
  for child in
    select i.inhrelid::regclass from pg_inherits i
    where i.inhparent = 'events.log'::regclass
      and not exists (select from pg_trigger t where t.tgrelid = i.inhrelid and t.tgname = 'log_truncate')
  loop
    execute format('create trigger log_truncate before truncate on %s
      for each statement execute function events.refuse_change()', child);
    execute format('alter table %s enable always trigger log_truncate', child);
    execute format('alter table %s enable always trigger log_rows', child);
  end loop;
  return made;
end
$$;

-- Stores the events of a batch that are not stored yet and numbers them in the order given, and says how many those
-- were. Each statement sees what was committed before it began: so the look after the counters are locked is final,
-- and numbers are drawn only for events that will be inserted.
create or replace function events.store(ids uuid[], accounts uuid[], types text[], orders uuid[], keys text[],
  sequences integer[], times timestamptz[], bodies bytea[], contexts text[] default null) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
-- Look-ups by key whatever the planner believes of a log that was empty when it planned.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_generic_plan as $$
declare
  touched uuid[];
  stored integer;
begin
  select array_agg(distinct u.account_id) into touched
    from unnest(ids, accounts, times) u (id, account_id, at)
    where not exists (select from events.log l where l.id = u.id and l.created_at = u.at);
  if touched is null then
    return 0;
  end if;
  insert into events.feed_counters (account_id)
    select a from unnest(touched) a order by a on conflict do nothing;
  perform from events.feed_counters c where c.account_id = any (touched) order by c.account_id for update;
  with fresh as (
    select u.*, row_number() over feed as n, max(u.at) over feed as latest
    from unnest(ids, accounts, types, orders, keys, sequences, times, bodies, contexts)
      with ordinality u (id, account_id, type, order_id, sequence_key, order_sequence, at, body, context, nth)
    where not exists (select from events.log l where l.id = u.id and l.created_at = u.at)
    window feed as (partition by u.account_id order by u.nth)
  ), inserted as (
    insert into events.log (id, account_id, seq, type, order_id, sequence_key, order_sequence,
      created_at, body, reached, context)
    select f.id, f.account_id, c.last_seq + f.n, f.type, f.order_id, f.sequence_key,
      f.order_sequence, f.at, f.body, greatest(c.reached, f.latest), f.context::jsonb
    from fresh f join events.feed_counters c using (account_id)
    returning account_id, created_at
  ), counted as (
    update events.feed_counters c
    set last_seq = c.last_seq + i.n, reached = greatest(c.reached, i.latest)
    from (select account_id, count(*) as n, max(created_at) as latest from inserted group by account_id) i
    where c.account_id = i.account_id
    returning i.n
  )
  select coalesce(sum(n), 0) into stored from counted;
  return stored;
end
$$;

-- The bodies that the log has, also those that the statement which asks has just stored. Each is looked up by its key: a
-- plain join was planned as a scan of the whole log, which was small when it was planned, for every batch.
create or replace function events.bodies_of(ids uuid[], times timestamptz[]) returns table (id uuid, body bytea)
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
