import type { MigrationInterface, QueryRunner } from "typeorm";

/** The tables of the bus: outbox, inbox, positions, dead letters; and the creation of partitions. */
export class Messaging1700000000001 implements MigrationInterface {
  name = "Messaging1700000000001";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop schema messaging cascade");
  }
}

const UP = `
create schema messaging;

-- The instant inside a version 7 UUID: rows that are partitioned by time are found by id alone.
create function messaging.time_of(id uuid) returns timestamptz
language sql immutable strict parallel safe as $$
  select to_timestamp(
    ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0
  )
$$;

-- A version 7 UUID whose time is the given instant.
create function messaging.uuid_at(at timestamptz) returns uuid
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
create function messaging.make_partitions(parent regclass, unit text, first timestamptz, last timestamptz)
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

create sequence messaging.outbox_id;

create table messaging.outbox (
  id bigint not null default nextval('messaging.outbox_id'),
  day date not null default (now() at time zone 'utc')::date,
  created_at timestamptz not null default now(),
  message_id uuid not null,
  topic text not null,
  key bytea,
  shard smallint not null,
  value bytea,
  headers jsonb not null default '{}',
  sent_at timestamptz,
  kafka_partition integer,
  kafka_offset bigint,
  primary key (id, day)
) partition by range (day);

create index outbox_unsent on messaging.outbox (id) where sent_at is null;

create table messaging.inbox (
  consumer text not null,
  message_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (message_id, consumer)
);

create table messaging.consumer_positions (
  consumer text not null,
  topic text not null,
  kafka_partition integer not null,
  next_offset bigint not null,
  updated_at timestamptz not null default now(),
  primary key (consumer, topic, kafka_partition)
) with (fillfactor = 50);

create table messaging.reconciliation (
  one boolean primary key default true check (one),
  low_id bigint not null default 0,
  updated_at timestamptz not null default now()
);
insert into messaging.reconciliation default values;

create table messaging.dead_letters (
  id uuid primary key,
  consumer text not null,
  topic text not null,
  kafka_partition integer not null,
  kafka_offset bigint not null,
  key bytea,
  value bytea,
  headers jsonb not null default '{}',
  message_id uuid,
  error_code text not null,
  error_detail text not null,
  state text not null default 'parked' check (state in ('parked', 'replayed', 'discarded')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (topic, kafka_partition, kafka_offset, consumer)
);
create index dead_letters_message on messaging.dead_letters (message_id) where message_id is not null;

-- Drops the outbox partitions of days before the given one in which every row is sent and reconciled, and says how
-- many those were. Readers and writers wait for at most 200 ms; where the lock cannot be had, the next call tries again.
create function messaging.drop_done_partitions(before date) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
  child record;
  unfinished boolean;
  dropped integer := 0;
begin
  for child in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'messaging.outbox'::regclass
      and right(c.relname, 8) < to_char(before, 'YYYYMMDD')
    order by c.relname
  loop
    execute format('select exists (select from messaging.%1$I where sent_at is null)
      or (select max(id) from messaging.%1$I) >= (select low_id from messaging.reconciliation)',
      child.relname) into unfinished;
    if unfinished is not true then
      execute format('drop table messaging.%I', child.relname);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end
$$;

select messaging.make_partitions('messaging.outbox', 'day', now() - interval '1 day', now() + interval '14 days');
`;
