import type { MigrationInterface, QueryRunner } from "typeorm";

/** The permanent event log: append-only, each event id once, numbered densely per account. */
export class Events1700000000007 implements MigrationInterface {
  name = "Events1700000000007";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema events cascade");
  }
}

const UP = `
create schema events;

create table events.feed_counters (
  account_id uuid primary key,
  last_seq bigint not null default 0
) with (fillfactor = 50);

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
  primary key (id, created_at)
) partition by range (created_at);

create unique index log_feed on events.log (account_id, seq, created_at);
create index log_of_order on events.log (account_id, order_id, seq) where order_id is not null;
create index log_of_type on events.log (account_id, type, seq);

create function events.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the event log is append-only' using errcode = 'insufficient_privilege';
end
$$;
create trigger log_rows before update or delete on events.log
  for each row execute function events.refuse_change();
create trigger log_truncate before truncate on events.log
  for each statement execute function events.refuse_change();
alter table events.log enable always trigger log_rows;
alter table events.log enable always trigger log_truncate;

-- Row triggers reach new partitions by themselves; ENABLE ALWAYS and statement triggers do not.
create function events.make_log_partitions(first timestamptz, last timestamptz) returns integer
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
create function events.store(ids uuid[], accounts uuid[], types text[], orders uuid[], keys text[],
  sequences integer[], times timestamptz[], bodies bytea[]) returns integer
language plpgsql volatile
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
    select u.*, row_number() over (partition by u.account_id order by u.nth) as n
    from unnest(ids, accounts, types, orders, keys, sequences, times, bodies)
      with ordinality u (id, account_id, type, order_id, sequence_key, order_sequence, at, body, nth)
    where not exists (select from events.log l where l.id = u.id and l.created_at = u.at)
  ), inserted as (
    insert into events.log
      (id, account_id, seq, type, order_id, sequence_key, order_sequence, created_at, body)
    select f.id, f.account_id, c.last_seq + f.n, f.type, f.order_id, f.sequence_key, f.order_sequence, f.at, f.body
    from fresh f join events.feed_counters c using (account_id)
    returning account_id
  ), counted as (
    update events.feed_counters c set last_seq = c.last_seq + i.n
    from (select account_id, count(*) as n from inserted group by account_id) i
    where c.account_id = i.account_id
    returning i.n
  )
  select coalesce(sum(n), 0) into stored from counted;
  return stored;
end
$$;

select events.make_log_partitions(now() - interval '1 month', now() + interval '3 months');
`;
