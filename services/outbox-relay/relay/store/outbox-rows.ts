import type { Pool } from "pg";
import type { JoiningPool } from "../../../platform/db/joining-pool.ts";
import { LOOKUPS_BY_KEY } from "../../../platform/db/planner-settings.ts";
import { createPool } from "../../../platform/db/pool.ts";
import { inTransaction, queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { SentTo } from "../../../platform/kafka/producer.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { StoredValue } from "../../../platform/outbox/message-seal.ts";
import type { OutgoingMessage } from "../../../platform/outbox/outbox.ts";

/** An outbox row to be sent; `day` names its partition, as `YYYY-MM-DD`. */
export interface OutboxRow extends Omit<OutgoingMessage, "sealedKeyId">, StoredValue {
  readonly id: number;
  readonly day: string;
}

interface Row {
  readonly id: number;
  readonly day: string;
  readonly message_id: string;
  readonly topic: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly sealed_key_id: string | null;
}

const POOL_SIZE = 4;

export interface RelayConnection {
  readonly url: string;
  readonly role?: string;
  readonly service: string;
  readonly log: Logger;
}

/** Separate connections for the relay, whose plans do not depend on statistics. */
export function createRelayPool(options: RelayConnection): JoiningPool {
  return createPool({ ...options, settings: LOOKUPS_BY_KEY, size: POOL_SIZE });
}

/** The most bytes one fetch reads into memory; only its last row may exceed it. */
const FETCH_BYTES = 8_000_000;

/** Of the unsent messages `u`, those of the shards that are not under way. */
const MAY_BE_SENT = "u.shard = any ($1::smallint[]) and u.id not in (select unnest($2::bigint[]))";

/** The first rows in the order of their ids, as many as may be read into memory at once. */
function withinBytes(rows: string): string {
  return `select id, day, message_id, topic, key, value, headers, sealed_key_id
  from (
    select o.*, sum(octet_length(coalesce(value, ''))) over (order by id) as bytes_so_far
    from (
      select o.id, o.day, o.message_id, o.topic, o.key, o.value, o.headers, o.sealed_key_id
      ${rows}
      order by u.id limit $3
    ) o
  ) w
  where bytes_so_far - octet_length(coalesce(value, '')) < ${FETCH_BYTES}`;
}

/** Limited before they are joined: a plan that begins with the outbox would pass all that was sent today. */
const FETCH = `${withinBytes(`from (select u.id, u.day from messaging.unsent_messages u where ${MAY_BE_SENT}
          order by u.id limit $3) u
        join messaging.outbox o on o.id = u.id and o.day = u.day`)}
  order by id`;

/** The most unsent messages that one fetch looks at for those of topics that are not held; cold, each is a page read. */
const EXAMINED_ROWS = 20_000;

const ABOVE = `from messaging.unsent_messages u where u.id > $5 and ${MAY_BE_SENT} order by u.id`;

/** The first two columns are there also where nothing is found. */
const FETCH_PAST_HELD = `select (select r.unsent_again from messaging.reconciliation r) as unsent_again,
    (select u.id ${ABOVE} offset ${EXAMINED_ROWS - 1} limit 1) as examined_to, f.*
  from (select) always left join (
    ${withinBytes(`from (select u.id, u.day ${ABOVE} limit ${EXAMINED_ROWS}) u
        join messaging.outbox o on o.id = u.id and o.day = u.day
      where o.topic <> all ($4::text[])`)}
  ) f on true
  order by f.id`;

export interface Fetched {
  readonly rows: readonly OutboxRow[];
  /** Whether there may be more rows than this fetch returned. */
  readonly full: boolean;
}

export interface UnsentRange {
  readonly shards: readonly number[];
  /** Ids of rows to leave out. */
  readonly underWay: readonly number[];
  readonly limit: number;
}

function toOutboxRow({ message_id, sealed_key_id, ...row }: Row): OutboxRow {
  const { id, day, topic, key, value, headers } = row;
  return { id, day, messageId: message_id, topic, key, value, headers, sealedKeyId: sealed_key_id };
}

function toFetched(found: readonly Row[], limit: number): Fetched {
  const bytes = found.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  const rows = found.map(toOutboxRow);
  return { rows, full: rows.length === limit || bytes >= FETCH_BYTES };
}

/** The oldest unsent rows of the shards, except those already being sent. */
export async function fetchUnsent(
  db: Queryable,
  { shards, underWay, limit }: UnsentRange,
): Promise<Fetched> {
  const values = [shards, underWay, limit];
  const found = await queryRows<Row>(db, { name: "outbox-fetch", text: FETCH, values });
  return toFetched(found, limit);
}

export interface HeldRange extends UnsentRange {
  /** Topics to leave out. */
  readonly held: readonly string[];
  /** Rows up to this id are left out. */
  readonly above: number;
}

export interface FetchedPastHeld extends Fetched {
  /** The id up to which unsent messages were looked at; null if it was at all of them. */
  readonly examinedTo: number | null;
  /** How often sent messages had become unsent again. */
  readonly unsentAgain: number;
}

interface Examination {
  readonly unsent_again: number | null;
  readonly examined_to: number | null;
}

/** The same above an id and without the rows of held topics, as far as one statement may look. */
export async function fetchPastHeld(
  db: Queryable,
  { shards, underWay, limit, held, above }: HeldRange,
): Promise<FetchedPastHeld> {
  const found = await queryRows<Examination & (Row | { readonly id: null })>(db, {
    name: "outbox-fetch-past-held",
    text: FETCH_PAST_HELD,
    values: [shards, underWay, limit, held, above],
  });
  const { rows, full } = toFetched(
    found.filter((row) => row.id !== null),
    limit,
  );
  const examinedTo = found[0]?.examined_to ?? null;
  const unsentAgain = found[0]?.unsent_again ?? 0;
  return { rows, full: full || examinedTo !== null, examinedTo, unsentAgain };
}

/** Runs statements that all see the database as the first of them does. */
export async function inSnapshot<T>(pool: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await queryRows(tx, { text: "set transaction isolation level repeatable read, read only" });
    return work(tx);
  });
}

/** The row itself, with the message in it, stays as it was written: a changed one would be a second copy. */
const MARK = `with sent as (
    delete from messaging.unsent_messages m
    using unnest($1::bigint[], $2::integer[], $3::bigint[]) u (id, kafka_partition, kafka_offset)
    where m.id = u.id
    returning m.id, m.day, u.kafka_partition, u.kafka_offset
  )
  insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset)
  select id, day, kafka_partition, kafka_offset from sent
  on conflict (id, day) do update set sent_at = excluded.sent_at,
    kafka_partition = excluded.kafka_partition, kafka_offset = excluded.kafka_offset`;

/** Marks rows as sent, with partition and offset. */
export async function markSent(
  db: Queryable,
  rows: readonly OutboxRow[],
  places: readonly SentTo[],
): Promise<void> {
  const sent = rows.flatMap(({ id }, n) => {
    const place = places[n];
    return place === undefined ? [] : [{ id, ...place }];
  });
  await queryRows(db, {
    name: "outbox-mark",
    text: MARK,
    values: [
      sent.map((one) => one.id),
      sent.map((one) => one.partition),
      sent.map((one) => one.offset),
    ],
  });
}
