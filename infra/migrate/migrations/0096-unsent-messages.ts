import type { MigrationInterface, QueryRunner } from "typeorm";

/**
 * What waits to be sent, and where what was sent lies, are kept in narrow tables beside the outbox, whose rows carry the
 * messages and are written once (docs/adr/0048).
 */
export class UnsentMessages1700000000096 implements MigrationInterface {
  name = "UnsentMessages1700000000096";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(TRIGGERS);
    await runner.query(PARTITIONS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

export const PROGRESS = `create view messaging.outbox_progress as
  select o.id, o.day, o.shard, o.topic, o.message_id, u.id is not null as waits,
    case when u.id is null then case when s.id is null then o.sent_at else s.sent_at end end as sent_at,
    case when u.id is null then case when s.id is null then o.kafka_partition else s.kafka_partition end end
      as kafka_partition,
    case when u.id is null then case when s.id is null then o.kafka_offset else s.kafka_offset end end as kafka_offset
  from messaging.outbox o
  left join messaging.unsent_messages u on u.id = o.id
  left join messaging.sent_messages s on s.id = o.id and s.day = o.day;
`;

const TABLES = `
-- Rows come and go, and a look for the oldest passes every dead one.
create table messaging.unsent_messages (
  id bigint primary key,
  day date not null,
  shard smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The widest columns first: nothing is lost between them. Without partition and offset where the topic was made anew.
create table messaging.sent_messages (
  id bigint not null,
  sent_at timestamptz not null default now(),
  kafka_offset bigint,
  kafka_partition integer,
  day date not null,
  primary key (id, day)
) partition by range (day);

-- What a relay sent before these tables were there has its place in the outbox itself.
${PROGRESS}`;

export const TRIGGERS = `
create function messaging.note_unsent() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into messaging.unsent_messages (id, day, shard)
    select i.id, i.day, i.shard from inserted i where i.sent_at is null;
  return null;
end
$$;
create trigger outbox_inserted after insert on messaging.outbox referencing new table as inserted
  for each statement execute function messaging.note_unsent();

-- A relay of the version before marks the row itself, and unmarks it to send it again. The join must not be made by
-- comparing each row with each, as that relay's settings would have it.
create function messaging.note_marked() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_hashjoin = on as $$
begin
  with marked as materialized (
    select a.id, a.day, a.shard, a.sent_at, a.kafka_partition, a.kafka_offset
    from after_update a join before_update b on b.id = a.id and b.day = a.day
    where (a.sent_at, a.kafka_partition, a.kafka_offset)
      is distinct from (b.sent_at, b.kafka_partition, b.kafka_offset)
  ), unmarked as (
    insert into messaging.unsent_messages (id, day, shard)
    select m.id, m.day, m.shard from marked m where m.sent_at is null
    on conflict do nothing
  ), without_place as (
    delete from messaging.sent_messages s using marked m where s.id = m.id and s.day = m.day and m.sent_at is null
  ), sent as (
    delete from messaging.unsent_messages u using marked m where u.id = m.id and m.sent_at is not null
  )
  insert into messaging.sent_messages as s (id, day, sent_at, kafka_partition, kafka_offset)
    select m.id, m.day, m.sent_at, m.kafka_partition, m.kafka_offset from marked m where m.sent_at is not null
    on conflict (id, day) do update set sent_at = excluded.sent_at, kafka_partition = excluded.kafka_partition,
      kafka_offset = excluded.kafka_offset;
  return null;
end
$$;
create trigger outbox_updated after update on messaging.outbox
  referencing old table as before_update new table as after_update
  for each statement execute function messaging.note_marked();
`;

export const DROP_DONE_PARTITIONS = `create or replace function messaging.drop_done_partitions(before date) returns integer
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
    execute format('select exists (select from messaging.unsent_messages where day = to_date(%2$L, ''YYYYMMDD''))
      or (select max(id) from messaging.%1$I) >= (select low_id from messaging.reconciliation)',
      child.relname, child.day) into unfinished;
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
`;

const PARTITIONS = `
create or replace function messaging.make_outbox_partitions(first timestamptz, last timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform messaging.make_partitions('messaging.sent_messages', 'day', first, last);
  return messaging.make_partitions('messaging.outbox', 'day', first, last);
end
$$;

-- One for each that the outbox has.
select messaging.make_partitions('messaging.sent_messages', 'day', (min(d.day) || ' UTC')::timestamptz,
    (max(d.day) || ' UTC')::timestamptz)
  from (
    select right(c.relname, 8) as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'messaging.outbox'::regclass
  ) d;

${DROP_DONE_PARTITIONS}`;

const DOWN = `
create or replace function messaging.drop_done_partitions(before date) returns integer
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
create or replace function messaging.make_outbox_partitions(first timestamptz, last timestamptz) returns integer
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select messaging.make_partitions('messaging.outbox', 'day', first, last)
$$;
drop trigger outbox_updated on messaging.outbox;
drop trigger outbox_inserted on messaging.outbox;
update messaging.outbox o
  set sent_at = p.sent_at, kafka_partition = p.kafka_partition, kafka_offset = p.kafka_offset
  from messaging.outbox_progress p where p.id = o.id and p.day = o.day;
drop function messaging.note_marked();
drop function messaging.note_unsent();
drop view messaging.outbox_progress;
drop table messaging.sent_messages;
drop table messaging.unsent_messages;
`;
