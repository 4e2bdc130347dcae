import type { MigrationInterface, QueryRunner } from "typeorm";
import { MESSAGING_FUNCTIONS } from "./0201-messaging-functions.ts";

/** What services share: the outbox and how far it was sent, inboxes, dead letters, kept answers, keys and marks. */
export class Messaging1700000000201 implements MigrationInterface {
  name = "Messaging1700000000201";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("create schema messaging");
    // The desk's health reads tables of schemas that come later.
    await runner.query("set local check_function_bodies = off");
    await runner.query(MESSAGING_FUNCTIONS);
    await runner.query(OUTBOX);
    await runner.query(CONSUMERS);
    await runner.query(KEPT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop publication outbox");
    await runner.query("drop schema messaging cascade");
  }
}

/** A message with where it lies on its topic, if it was sent. */
export const OUTBOX_PROGRESS = `
create view messaging.outbox_progress as
  select o.id, o.day, o.created_at, o.topic, o.message_id, s.id is null as waits, s.sent_at, s.kafka_partition, s.kafka_offset
  from messaging.outbox o
  left join messaging.sent_messages s on s.id = o.id and s.day = o.day;

create publication outbox for table messaging.outbox with (publish = 'insert', publish_via_partition_root = true);
`;

const OUTBOX = `
create sequence messaging.outbox_id;

-- Only inserted into, and read from the log of the database (docs/adr/0057).
create table messaging.outbox (
  id bigint not null default nextval('messaging.outbox_id'),
  day date not null default (now() at time zone 'utc')::date,
  created_at timestamptz not null default now(),
  message_id uuid not null,
  topic text not null,
  key bytea,
  value bytea,
  headers jsonb not null default '{}',
  -- Of the key that sealed the value, where it carries account numbers or PINs.
  sealed_key_id text,
  primary key (id, day)
) partition by range (day);
create index outbox_sealed on messaging.outbox (day, id) where sealed_key_id is not null;
-- Keys of other lengths are not ids, and may be too long for an index.
create index outbox_of_key on messaging.outbox (key) where length(key) = 36;

-- The widest columns first: nothing is lost between them. Without partition and offset where the topic was made anew.
create table messaging.sent_messages (
  id bigint not null,
  sent_at timestamptz not null default now(),
  kafka_offset bigint,
  kafka_partition integer,
  day date not null,
  primary key (id, day)
) partition by range (day);
${OUTBOX_PROGRESS}
-- How far the relay has come.
create table messaging.relay_state (
  one boolean primary key default true check (one),
  handled_id bigint not null default 0,
  handled_at timestamptz not null default now()
);
insert into messaging.relay_state default values;

-- Topics whose messages wait in the table, from the lowest id that does; '*' is every one, after a lost slot.
create table messaging.deferred_topics (
  topic text primary key,
  from_id bigint not null,
  since timestamptz not null default now(),
  waiting bigint not null default 0,
  revision bigint not null default 0
);

create table messaging.reconciliation (
  one boolean primary key default true check (one),
  low_id bigint not null default 0,
  updated_at timestamptz not null default now()
);
insert into messaging.reconciliation default values;

-- One row per message whose cause was lost with the database that this one replaces. "told": an event that
-- webhook-sender had handled there.
create table messaging.orphans (
  topic text not null,
  message_id uuid not null,
  kafka_partition integer not null,
  kafka_offset bigint not null,
  account_id uuid,
  order_id uuid,
  event_type text,
  told boolean not null,
  noted_at timestamptz not null default now(),
  primary key (topic, message_id)
);

select messaging.make_outbox_partitions(now() - interval '1 day', now() + interval '14 days');
`;

// A key is bytes of any kind, and some clients write UUIDs in capitals. Services find orders by the same expression.
const ORDER_OF_LETTER = `coalesce(order_id, case when length(key) = 36
  and encode(key, 'escape') ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then encode(key, 'escape')::uuid end)`;

const CONSUMERS = `
create table messaging.inbox (
  consumer text not null,
  message_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (message_id, consumer)
);
-- The fan-out's rows are kept: porting.events is kept for ever, and recoveries check which events were handled.
create index inbox_received on messaging.inbox (received_at) where consumer <> 'webhook-sender';

create table messaging.consumer_positions (
  consumer text not null,
  topic text not null,
  kafka_partition integer not null,
  next_offset bigint not null,
  updated_at timestamptz not null default now(),
  primary key (consumer, topic, kafka_partition)
) with (fillfactor = 50);

-- Which partitions a reader has begun with and not got on with, so that no record ends its readers for ever. A row
-- while the first batch of a partition is handled after each assignment: nobody else writes it, and few rows exist.
create table messaging.read_attempts (
  consumer text not null,
  topic text not null,
  kafka_partition integer not null,
  readers integer not null default 1,
  kafka_offset bigint,
  attempts integer not null default 0,
  waits_for text,
  since timestamptz not null default now(),
  primary key (consumer, topic, kafka_partition)
);

create table messaging.dead_letters (
  id uuid primary key,
  consumer text not null,
  topic text not null,
  kafka_partition integer not null,
  kafka_offset bigint not null,
  -- When the record was stamped, in epoch milliseconds: a topic that was made anew counts its offsets from 0 again.
  kafka_timestamp bigint,
  key bytea,
  value bytea,
  sealed_key_id text,
  headers jsonb not null default '{}',
  message_id uuid,
  -- The order that the value names, where that could be read.
  order_id uuid,
  error_code text not null,
  error_detail text not null,
  state text not null default 'parked' check (state in ('parked', 'replayed', 'discarded')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index dead_letters_record on messaging.dead_letters
  (topic, kafka_partition, kafka_offset, consumer, kafka_timestamp, md5(value)) nulls not distinct;
-- Sealing gives different bytes each time, so that the index over the bytes does not find a repeat.
create unique index dead_letters_sealed_record on messaging.dead_letters
  (topic, kafka_partition, kafka_offset, consumer, kafka_timestamp, message_id) nulls not distinct
  where sealed_key_id is not null;
create index dead_letters_message on messaging.dead_letters (message_id) where message_id is not null;
create index dead_letters_of_order on messaging.dead_letters ((${ORDER_OF_LETTER}));
create index dead_letters_parked_order on messaging.dead_letters ((${ORDER_OF_LETTER}), created_at)
  where state = 'parked';
`;

const KEPT = `
-- Answers to requests with an Idempotency-Key, kept for a day.
create table messaging.idempotent_replies (
  owner text not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  headers jsonb not null,
  -- The JSON text, or its sealed bytes where it shows a secret.
  body bytea,
  is_sealed boolean not null,
  created_at timestamptz not null,
  primary key (owner, key)
);
create index idempotent_replies_age on messaging.idempotent_replies (created_at);
create index idempotent_replies_large on messaging.idempotent_replies (owner, created_at)
  where octet_length(body) > 16384;

-- Keys that the services generate for themselves: that of the fingerprints of idempotent_replies (docs/adr/0051).
create table messaging.generated_keys (
  purpose text primary key,
  sealed_key bytea not null,
  sealed_key_id text not null
);

-- The rate limits' token buckets, shared by the processes of the API. Unlogged: a crash refills every bucket.
create unlogged table messaging.rate_buckets (
  owner text primary key,
  tokens double precision not null,
  filled_at timestamptz not null
) with (fillfactor = 50);
create index rate_buckets_age on messaging.rate_buckets (filled_at);

-- A row a minute. The process that inserts it measures; status and measures follow.
create table messaging.health_samples (
  minute timestamptz primary key,
  status text check (status in ('ok', 'slow', 'stuck')),
  measures jsonb
);

-- The ids that the schema registry gave to the messages' schemas: a service starts with them while the registry is away.
create table messaging.schema_ids (
  subject text not null,
  text_hash bytea not null,
  id integer not null,
  primary key (subject, text_hash)
);

-- What each id has stood for: a registry that is set up anew may give it to another schema.
create table messaging.known_schemas (
  subject text not null,
  id integer not null,
  text_hash bytea not null,
  primary key (subject, id)
);

-- The mark of the primary, by which a replica shows that it follows this one and not the one before a failover.
create table messaging.primary_server (
  is_only boolean primary key default true check (is_only),
  mark uuid not null,
  started_at timestamptz not null,
  timeline text not null
);

-- The checksum of every migration that this database has run, by which a change to its text is noticed.
create table messaging.migration_checksums (
  name text primary key,
  checksum text not null,
  recorded_at timestamptz not null default now()
);
`;
