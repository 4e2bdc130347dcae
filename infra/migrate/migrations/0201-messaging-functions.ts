export const MESSAGING_FUNCTIONS = `
-- The instant inside a version 7 UUID: rows that are partitioned by time are found by id alone.
create or replace function messaging.time_of(id uuid) returns timestamptz
language sql immutable strict parallel safe as $$
  select to_timestamp(
    ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0
  )
$$;

-- A version 7 UUID whose time is the given instant.
create or replace function messaging.uuid_at(at timestamptz) returns uuid
language sql volatile strict parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;

-- Makes the missing partitions of a range-partitioned table, from the unit that holds first to the one that
-- holds last. Attached rather than created in place, so that readers and writers are never locked out.
create or replace function messaging.make_partitions(parent regclass, unit text, first timestamptz, last timestamptz)
returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC' as $$
declare
  step interval := ('1 ' || unit)::interval;
  lower_bound timestamptz := date_trunc(unit, first);
  schema_name text;
  table_name text;
  child text;
  made integer := 0;
begin
  if unit not in ('day', 'month') then
    raise exception 'unit must be day or month';
  end if;
  perform pg_advisory_xact_lock(hashtext('make_partitions'), parent::oid::integer);
  select n.nspname, c.relname into schema_name, table_name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = parent;
  while lower_bound <= last loop
    child := table_name || '_' || to_char(lower_bound, case unit when 'day' then 'YYYYMMDD' else 'YYYYMM' end);
    if to_regclass(format('%I.%I', schema_name, child)) is null then
      execute format('create table %I.%I (like %s including all)', schema_name, child, parent);
      execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)',
        parent, schema_name, child, lower_bound, lower_bound + step);
      made := made + 1;
    end if;
    lower_bound := lower_bound + step;
  end loop;
  return made;
end
$$;

create or replace function messaging.make_outbox_partitions(first timestamptz, last timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform messaging.make_partitions('messaging.sent_messages', 'day', first, last);
  return messaging.make_partitions('messaging.outbox', 'day', first, last);
end
$$;

-- Drops the outbox partitions of days before the given one in which every row is sent and reconciled, and says how
-- many those were. Readers and writers wait for at most 200 ms; where the lock cannot be had, the next call tries again.
create or replace function messaging.drop_done_partitions(before date) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  child record;
  unfinished boolean;
  dropped integer := 0;
begin
  for child in
    select c.relname, right(c.relname, 8) as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'messaging.outbox'::regclass
      and right(c.relname, 8) < to_char(before, 'YYYYMMDD')
    order by c.relname
  loop
    execute format('select (select max(id) from messaging.%1$I) >= (select low_id from messaging.reconciliation)
      or exists (select from messaging.%1$I o where not exists (select from messaging.%2$I s where s.id = o.id))',
      child.relname, 'sent_messages_' || child.day) into unfinished;
    if unfinished is not true then
      execute format('drop table messaging.%I', child.relname);
      execute format('drop table if exists messaging.%I', 'sent_messages_' || child.day);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end
$$;

-- Deletes some of the rows that consumers other than the fan-out wrote before the instant, and says how many: no more
-- when that is 0. What the reconciler has yet to look at stays.
create or replace function messaging.forget_handled(before timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  unreconciled timestamptz;
  deleted integer;
begin
  select o.created_at into unreconciled from messaging.outbox o
    where o.id >= (select r.low_id from messaging.reconciliation r) order by o.id limit 1;
  with old as materialized (
    select i.message_id, i.consumer from messaging.inbox i
    where i.consumer <> 'webhook-sender' and i.received_at < least(before, unreconciled)
    order by i.received_at limit 5000 for update skip locked
  )
  delete from messaging.inbox i using old
  where i.message_id = old.message_id and i.consumer = old.consumer;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;

-- The mark of the server that is asked; null on one in recovery, and on one that was started, or promoted, after the
-- mark was made: from there on its log may be another than that of the server which made it.
create or replace function messaging.primary_mark() returns uuid language sql as $$
  select p.mark from messaging.primary_server p
  where p.started_at = pg_postmaster_start_time()
    and case when pg_is_in_recovery() then false
      else p.timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8) end
$$;

-- The mark of this primary, which is made where there is none.
create or replace function messaging.mark_primary() returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  current_mark uuid := messaging.primary_mark();
begin
  if current_mark is null then
    insert into messaging.primary_server as p (mark, started_at, timeline)
      values (gen_random_uuid(), pg_postmaster_start_time(), left(pg_walfile_name(pg_current_wal_lsn()), 8))
      on conflict (is_only) do update
        set mark = excluded.mark, started_at = excluded.started_at, timeline = excluded.timeline
        where (p.started_at, p.timeline) is distinct from (excluded.started_at, excluded.timeline);
    current_mark := messaging.primary_mark();
  end if;
  return current_mark;
end
$$;

-- The part of the desk's health that is in the database. Counts stop at 100,000, and the oldest delivery is sought
-- among the 10,000 that are longest due: a great backlog must not be made worse by looking at it. Of the outbox, the
-- relay counts what it has deferred; behind where it has come, everything else waits.
create or replace function messaging.stored_health() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with recursive named (provider) as (
    (select u.provider from carriers.updates u order by u.provider limit 1)
    union all
    select (select u.provider from carriers.updates u where u.provider > n.provider order by u.provider limit 1)
    from named n where n.provider is not null
  ), said as (
    select n.provider, w.received_at, w.order_id
    from named n cross join lateral (
      select u.received_at, u.order_id from carriers.updates u
      where u.provider = n.provider order by u.received_at desc limit 1) w
    where n.provider is not null
  ), unanswered as (
    select o.provider, min(o.updated_at) as since from orders.porting_orders o
    where o.status = 'submitted' group by o.provider
  ), waiting as (
    select d.id, d.created_at, d.account_id, d.url from webhooks.deliveries d
    join accounts.accounts a on a.id = d.account_id and a.status = 'active'
    where d.status in ('pending', 'retrying') order by d.next_attempt_at limit 10000
  ), oldest as (
    select w.id, w.created_at, w.account_id, w.url from waiting w order by w.created_at limit 1
  )
  select jsonb_build_object(
    'outbox_depth', (select count(*) from (select from messaging.outbox o
      where o.id > (select r.handled_id from messaging.relay_state r) limit 100000) o)
      + coalesce((select sum(d.waiting) from messaging.deferred_topics d), 0)::bigint,
    'outbox_oldest_at', (select least((select o.created_at from messaging.outbox o
        where o.id > (select r.handled_id from messaging.relay_state r) order by o.id limit 1),
      (select min(d.since) from messaging.deferred_topics d))),
    'outbox_log_bytes', (select pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)::bigint
      from pg_replication_slots s join pg_database d on s.slot_name = 'porting_outbox_' || d.oid::text
      where d.datname = current_database() and not pg_is_in_recovery()),
    'dead_letters', (select count(*) from (
      select from messaging.dead_letters where state = 'parked' limit 100000) d),
    'oldest_delivery', (select jsonb_build_object('delivery_id', o.id, 'created_at', o.created_at, 'url', o.url,
        'account', jsonb_build_object('id', a.id, 'name', a.name))
      from oldest o join accounts.accounts a on a.id = o.account_id),
    'providers', coalesce((select jsonb_agg(jsonb_build_object('provider', coalesce(s.provider, u.provider),
        'last_word_at', s.received_at, 'porting_order_id', s.order_id, 'waiting_since', u.since))
      from said s full join unanswered u on u.provider = s.provider), '[]')
  )
$$;
`;
