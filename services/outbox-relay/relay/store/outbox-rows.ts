import type { JoiningPool } from "../../../platform/db/joining-pool.ts";
import { createPool } from "../../../platform/db/pool.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
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

/** Forces index scans by key, even where the statistics still show an empty table. */
const PLANNER_SETTINGS = [
  "enable_seqscan=off",
  "enable_bitmapscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "plan_cache_mode=force_generic_plan",
];

const POOL_SIZE = 4;

export interface RelayConnection {
  readonly url: string;
  readonly role?: string;
  readonly service: string;
  readonly log: Logger;
}

/** Separate connections for the relay, whose plans do not depend on statistics. */
export function createRelayPool(options: RelayConnection): JoiningPool {
  return createPool({ ...options, settings: PLANNER_SETTINGS, size: POOL_SIZE });
}

/** The most bytes one fetch reads into memory; only its last row may exceed it. */
const FETCH_BYTES = 8_000_000;

const FETCH = `select id, day, message_id, topic, key, value, headers, sealed_key_id
  from (
    select o.*, sum(octet_length(coalesce(value, ''))) over (order by id) as bytes_so_far
    from (
      select o.id, o.day, o.message_id, o.topic, o.key, o.value, o.headers, o.sealed_key_id
      from messaging.unsent_messages u join messaging.outbox o on o.id = u.id and o.day = u.day
      where u.id > $5 and u.shard = any ($1::smallint[])
        and u.id not in (select unnest($2::bigint[])) and o.topic <> all ($4::text[])
      order by u.id limit $3
    ) o
  ) w
  where bytes_so_far - octet_length(coalesce(value, '')) < ${FETCH_BYTES}
  order by id`;

export interface Fetched {
  readonly rows: readonly OutboxRow[];
  /** Whether there may be more rows than this fetch returned. */
  readonly full: boolean;
}

export interface UnsentRange {
  readonly shards: readonly number[];
  /** Ids of rows to leave out. */
  readonly underWay: readonly number[];
  /** Topics to leave out. */
  readonly held: readonly string[];
  /** Rows up to this id are left out. */
  readonly above: number;
  readonly limit: number;
}

/** The oldest unsent rows of the shards, except those already being sent. */
export async function fetchUnsent(
  db: Queryable,
  { shards, underWay, held, above, limit }: UnsentRange,
): Promise<Fetched> {
  const found = await queryRows<Row>(db, {
    name: "outbox-fetch",
    text: FETCH,
    values: [shards, underWay, limit, held, above],
  });
  const bytes = found.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  const rows = found.map(({ message_id: messageId, sealed_key_id: sealedKeyId, ...row }) => ({
    ...row,
    messageId,
    sealedKeyId,
  }));
  return { rows, full: rows.length === limit || bytes >= FETCH_BYTES };
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
