import type { MigrationInterface, QueryRunner } from "typeorm";
import { DROP_DONE_PARTITIONS, PROGRESS, TRIGGERS } from "./0096-unsent-messages.ts";
import { deskHealth, storedHealth } from "./0097-unsent-messages-found.ts";
import { OLDEST_FIRST } from "./0105-oldest-unsent.ts";

/** The outbox is only inserted into, and read from the log of the database (docs/adr/0057). */
export class OutboxFromTheLog1700000000120 implements MigrationInterface {
  name = "OutboxFromTheLog1700000000120";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STATE);
    await runner.query(OUTBOX);
    await runner.query(PARTITIONS);
    await runner.query(storedHealth(WAITING));
    await runner.query(deskHealth(WAITING));
  }

  /** The slot is dropped by hand; the relay of before has one worker a shard, and finds all in the first. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
    await runner.query(PROGRESS);
    await runner.query(TRIGGERS);
    await runner.query(DROP_DONE_PARTITIONS);
    await runner.query(storedHealth(OLDEST_FIRST));
    await runner.query(deskHealth(OLDEST_FIRST));
  }
}

const STATE = `
-- How far the relay has come.
create table messaging.relay_state (
  one boolean primary key default true check (one),
  handled_id bigint not null default 0,
  handled_at timestamptz not null default now()
);

-- Topics whose messages wait in the table, from the lowest id that does; '*' is every one, after a lost slot.
create table messaging.deferred_topics (
  topic text primary key,
  from_id bigint not null,
  since timestamptz not null default now(),
  waiting bigint not null default 0,
  revision bigint not null default 0
);

-- What waits now has no place; what was sent before 0096 has it in the outbox alone.
lock table messaging.outbox in share row exclusive mode;
insert into messaging.relay_state (handled_id, handled_at)
  select coalesce(u.first_id - 1, (select max(id) from messaging.outbox), 0), coalesce(o.created_at, now())
  from (select min(id) as first_id from messaging.unsent_messages) u
  left join lateral (select min(o.created_at) as created_at from messaging.outbox o
    join messaging.unsent_messages w on w.id = o.id and w.day = o.day) o on true;
insert into messaging.sent_messages (id, day, sent_at, kafka_partition, kafka_offset)
  select o.id, o.day, o.sent_at, o.kafka_partition, o.kafka_offset from messaging.outbox o
  where o.sent_at is not null
    and not exists (select from messaging.unsent_messages u where u.id = o.id)
  on conflict do nothing;
`;

// The column shard stays for a release, whose services still write it.
const OUTBOX = `
drop trigger outbox_updated on messaging.outbox;
drop trigger outbox_inserted on messaging.outbox;
drop function messaging.note_marked();
drop function messaging.note_unsent();
drop view messaging.outbox_progress;
drop table messaging.unsent_messages;
alter table messaging.outbox
  drop column sent_at, drop column kafka_partition, drop column kafka_offset,
  alter column shard set default 0;
alter table messaging.reconciliation drop column unsent_again;

create view messaging.outbox_progress as
  select o.id, o.day, o.created_at, o.topic, o.message_id, s.id is null as waits, s.sent_at, s.kafka_partition, s.kafka_offset
  from messaging.outbox o
  left join messaging.sent_messages s on s.id = o.id and s.day = o.day;

create publication outbox for table messaging.outbox with (publish = 'insert', publish_via_partition_root = true);
`;

const PARTITIONS = `
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
`;

// The relay counts what it has deferred; behind where it has come, everything else waits.
const WAITING = `'outbox_depth', (select count(*) from (select from messaging.outbox o
      where o.id > (select r.handled_id from messaging.relay_state r) limit 100000) o)
      + coalesce((select sum(d.waiting) from messaging.deferred_topics d), 0)::bigint,
    'outbox_oldest_at', (select least((select o.created_at from messaging.outbox o
        where o.id > (select r.handled_id from messaging.relay_state r) order by o.id limit 1),
      (select min(d.since) from messaging.deferred_topics d))),
    'outbox_log_bytes', (select pg_wal_lsn_diff(pg_current_wal_lsn(), s.confirmed_flush_lsn)::bigint
      from pg_replication_slots s join pg_database d on s.slot_name = 'porting_outbox_' || d.oid::text
      where d.datname = current_database() and not pg_is_in_recovery())`;

const DOWN = `
drop publication outbox;
create table messaging.unsent_messages (
  id bigint primary key,
  day date not null,
  shard smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
insert into messaging.unsent_messages (id, day, shard)
  select id, day, 0 from messaging.outbox_progress where waits;
drop view messaging.outbox_progress;
alter table messaging.outbox
  add column sent_at timestamptz, add column kafka_partition integer, add column kafka_offset bigint,
  alter column shard drop default;
create index outbox_unsent on messaging.outbox (id) where sent_at is null;
alter table messaging.reconciliation add column unsent_again bigint not null default 0;
drop table messaging.deferred_topics;
drop table messaging.relay_state;
`;
