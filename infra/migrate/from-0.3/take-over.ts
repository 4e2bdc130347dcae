import type { QueryRunner } from "typeorm";
import { AppError } from "../../../services/platform/errors.ts";
import { isBeforeBase, readHistory } from "../migration-history.ts";
import { MESSAGING_FUNCTIONS } from "../migrations/0201-messaging-functions.ts";
import { OUTBOX_PROGRESS } from "../migrations/0201-messaging.ts";
import { ACCOUNTS_FUNCTIONS } from "../migrations/0202-accounts.ts";
import { ORDERS_FUNCTIONS } from "../migrations/0203-orders.ts";
import { REVIEWS_FUNCTIONS } from "../migrations/0204-reviews.ts";
import { CARRIERS_FUNCTIONS } from "../migrations/0205-carriers.ts";
import { WEBHOOKS_FUNCTIONS } from "../migrations/0206-webhooks.ts";
import { EVENTS_FUNCTIONS } from "../migrations/0207-events.ts";
import { ANALYTICS_COMMENTS } from "../migrations/0208-analytics.ts";
import { FOR_COPIES_OF_0_3 } from "../migrations/0209-copies-of-0.3.ts";
import { BASE } from "../migrations/all-migrations.ts";

/** A migration that came after 0.3.0, under the name that databases of its time have in their history. */
export interface Step {
  readonly name: string;
  readonly sql: string;
}

const ROOM_IN_PARTITIONS = `
do $$
declare
  part record;
begin
  for part in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhooks.deliveries'::regclass and 'fillfactor=50' = any(c.reloptions)
  loop
    execute format('alter table %s set (fillfactor = 80)', part.name);
  end loop;
end
$$;
`;

const GENERATED_KEYS = `
create table messaging.generated_keys (
  purpose text primary key,
  sealed_key bytea not null,
  sealed_key_id text not null
);
`;

const ORDER_OF_LETTER = `coalesce(order_id, case when length(key) = 36
  and encode(key, 'escape') ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then encode(key, 'escape')::uuid end)`;

const ORDERS_OF_DEAD_LETTERS = `
alter table messaging.dead_letters add column order_id uuid;
create index dead_letters_of_order on messaging.dead_letters ((${ORDER_OF_LETTER}));
create index dead_letters_parked_order on messaging.dead_letters ((${ORDER_OF_LETTER}), created_at)
  where state = 'parked';
`;

const READ_ATTEMPTS = `
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
`;

const ORDERS_OF_PORT_OUTS = `
alter table orders.port_out_numbers add column porting_order_id uuid;

update orders.port_out_numbers p set porting_order_id = n.porting_order_id
from orders.numbers n where n.account_id = p.account_id and n.phone_number = p.phone_number;
`;

// Of what exists, the usual differences: case of scheme and host, default port, no path. What a release before writes
// has none, and is compared as it was given.
const hrefOf = (table: string): string => `
alter table ${table} add column href text;

update ${table} t set href = lower(p.scheme) || '://'
  || regexp_replace(lower(p.host), case lower(p.scheme) when 'https' then ':443$' else ':80$' end, '')
  || case when p.rest = '' or p.rest like '?%' then '/' else '' end || p.rest
from (
  select u.url, m[1] as scheme, m[2] as host, m[3] as rest
  from ${table} u cross join regexp_match(u.url, '^(https?)://([^/?#]+)(.*)$', 'i') m
) p
where p.url = t.url;
`;

const GROWTH_BOUNDS = `
alter table orders.porting_orders add column created_numbers smallint;
create index porting_orders_discarded on orders.porting_orders (account_id, created_at) include (created_numbers)
  where deleted_at is not null or closed_by = 'customer';
create index porting_orders_deleted on orders.porting_orders (deleted_at) where deleted_at is not null;

create index recoveries_of_account on webhooks.recoveries (account_id, created_at);

create index idempotent_replies_large on messaging.idempotent_replies (owner, created_at)
  where octet_length(body) > 16384;
`;

const KNOWN_SCHEMAS = `
create table messaging.known_schemas (
  subject text not null,
  id integer not null,
  text_hash bytea not null,
  primary key (subject, id)
);
insert into messaging.known_schemas (subject, id, text_hash)
  select distinct on (subject, id) subject, id, text_hash from messaging.schema_ids order by subject, id;
`;

const OUTBOX_FROM_THE_LOG = `
create table messaging.relay_state (
  one boolean primary key default true check (one),
  handled_id bigint not null default 0,
  handled_at timestamptz not null default now()
);
create table messaging.deferred_topics (
  topic text primary key,
  from_id bigint not null,
  since timestamptz not null default now(),
  waiting bigint not null default 0,
  revision bigint not null default 0
);

-- What waits now has no place; what versions before 0.3 sent has it in the outbox alone.
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

drop trigger outbox_updated on messaging.outbox;
drop trigger outbox_inserted on messaging.outbox;
drop function messaging.note_marked();
drop function messaging.note_unsent();
drop view messaging.outbox_progress;
drop table messaging.unsent_messages;
alter table messaging.outbox
  drop column sent_at, drop column kafka_partition, drop column kafka_offset,
  alter column shard set default 0;
alter table messaging.reconciliation drop column if exists unsent_again;
${OUTBOX_PROGRESS}${MESSAGING_FUNCTIONS}`;

const DELIVERY_TIMES = `
create table webhooks.delivery_times (
  account_id uuid primary key,
  next_at timestamptz not null
) with (fillfactor = 50);

insert into webhooks.delivery_times (account_id, next_at)
  select a.id, d.created_at + interval '1 millisecond' from accounts.accounts a
  cross join lateral (
    select l.created_at from webhooks.deliveries l where l.account_id = a.id order by l.id desc limit 1
  ) d;
`;

/** Without what the end does for all databases, and without 102, 104 and 105, of which nothing is left but functions. */
export const STEPS: readonly Step[] = [
  { name: "BegunDeliveries1700000000098", sql: ROOM_IN_PARTITIONS },
  {
    name: "PortDatesSaid1700000000099",
    sql: "alter table orders.porting_orders add column foc_said_at timestamptz",
  },
  { name: "GeneratedKeys1700000000100", sql: GENERATED_KEYS },
  { name: "OrdersOfDeadLetters1700000000101", sql: ORDERS_OF_DEAD_LETTERS },
  {
    name: "PinsCompared1700000000103",
    sql: "alter table carriers.port_out_updates add column pin_mac bytea, add column pin_mac_key text",
  },
  { name: "ReadAttempts1700000000110", sql: READ_ATTEMPTS },
  { name: "OrdersOfPortOuts1700000000112", sql: ORDERS_OF_PORT_OUTS },
  {
    name: "ComparableUrls1700000000113",
    sql: hrefOf("webhooks.endpoints") + hrefOf("webhooks.order_destinations"),
  },
  { name: "GrowthBounds1700000000118", sql: GROWTH_BOUNDS },
  { name: "KnownSchemas1700000000119", sql: KNOWN_SCHEMAS },
  { name: "OutboxFromTheLog1700000000120", sql: OUTBOX_FROM_THE_LOG },
  { name: "DeliveriesInOrder1700000000121", sql: DELIVERY_TIMES },
];

/** What neither this version nor copies of 0.3 use: they served versions before it. May be repeated. */
const DROP_UNUSED = `
drop function if exists messaging.desk_health();
drop index if exists messaging.dead_letters_of_key, messaging.dead_letters_parked_key;
drop index if exists orders.porting_orders_carrier, orders.porting_orders_any_carrier;
`;

/** Cancellations of 0.1 have no reason, where later ones say that none was given. May be repeated. */
const FILL_REASONS = `
update orders.porting_orders set cancel = cancel || case cancel->>'asked_by'
    when 'ops' then '{"reason": {"code": null, "detail": "The porting desk gave no reason.", "raised_by": "desk"}}'::jsonb
    else '{"reason": {"code": null, "detail": "The customer gave no reason.", "raised_by": "customer"}}' end
  where cancel ? 'asked_by' and not cancel ? 'reason';
`;

/** Functions and comments as the base has them, and what senders of 0.3 have begun among all other deliveries, under its claims. */
const END = `
${MESSAGING_FUNCTIONS}
${ACCOUNTS_FUNCTIONS}
${ORDERS_FUNCTIONS}
${REVIEWS_FUNCTIONS}
${CARRIERS_FUNCTIONS}
${WEBHOOKS_FUNCTIONS}
${EVENTS_FUNCTIONS}
${ANALYTICS_COMMENTS.join(";\n")};
${FOR_COPIES_OF_0_3}
with b as (delete from webhooks.begun_deliveries returning *)
insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
    endpoint_id, endpoint_key, order_id, url, traceparent, attempt_count, claim_no, claimed_at, lease_until, status,
    next_attempt_at)
  select b.id, b.created_at, b.account_id, b.event_id, b.event_type, b.created_at, b.event_id, 'event',
    b.endpoint_id, b.endpoint_id, b.order_id, b.url, b.traceparent, 1, 1, b.claimed_at, b.lease_until, 'pending',
    b.claimed_at from b;
`;

/** With it a database is one of 0.3.0. */
const OF_0_3 = "UnsentMessagesFound1700000000097";

/**
 * Whether a database with these migrations is one of 0.3, or of what came between it and the base.
 * @throws `invalid_state` for an older one
 */
export function isOf03(history: readonly string[]): boolean {
  const before = history.filter(isBeforeBase);
  if (before.length === 0) return false;
  if (before.includes(OF_0_3)) return true;
  throw new AppError(
    "invalid_state",
    `This database is of a version before 0.3.0 (its last migration is ${before.at(-1)}): upgrade it to 0.3.0, and then to this version. Nothing was changed.`,
  );
}

/**
 * Brings a database of 0.3 to what the base creates, and gives it the base's history. Each step is one transaction, and
 * is not repeated: killed, the next run goes on.
 * @throws `invalid_state` for an older database
 */
export async function takeOver(runner: QueryRunner): Promise<void> {
  const history = await readHistory(runner);
  if (!isOf03(history)) return;
  for (const { name, sql } of STEPS) {
    if (history.includes(name)) continue;
    await inTransaction(runner, async () => {
      await runner.query(sql);
      await noteAsRun(runner, [name]);
    });
  }
  await runner.query(DROP_UNUSED);
  await runner.query(FILL_REASONS);
  await inTransaction(runner, async () => {
    await runner.query(END);
    await runner.query("delete from public.migrations where name = any ($1::text[])", [
      (await readHistory(runner)).filter(isBeforeBase),
    ]);
    await noteAsRun(
      runner,
      BASE.map((Migration) => new Migration().name),
    );
  });
}

async function noteAsRun(runner: QueryRunner, names: readonly string[]): Promise<void> {
  await runner.query(
    `insert into public.migrations (timestamp, name)
      select right(u.name, 13)::bigint, u.name from unnest($1::text[]) with ordinality u (name, nth) order by u.nth`,
    [names],
  );
}

async function inTransaction(runner: QueryRunner, work: () => Promise<void>): Promise<void> {
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
