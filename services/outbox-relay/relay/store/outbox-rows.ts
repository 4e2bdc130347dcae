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
      select id, day, message_id, topic, key, value, headers, sealed_key_id from messaging.outbox
      where sent_at is null and shard = any ($1::smallint[])
        and id not in (select unnest($2::bigint[])) and topic <> all ($4::text[])
      order by id limit $3
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
  readonly underWay: Iterable<number>;
  /** Topics to leave out. */
  readonly held: readonly string[];
  readonly limit: number;
}

/** The oldest unsent rows of the shards, except those already being sent. */
export async function fetchUnsent(
  db: Queryable,
  { shards, underWay, held, limit }: UnsentRange,
): Promise<Fetched> {
  const found = await queryRows<Row>(db, {
    name: "outbox-fetch",
    text: FETCH,
    values: [shards, [...underWay], limit, held],
  });
  const bytes = found.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
  const rows = found.map(({ message_id: messageId, sealed_key_id: sealedKeyId, ...row }) => ({
    ...row,
    messageId,
    sealedKeyId,
  }));
  return { rows, full: rows.length === limit || bytes >= FETCH_BYTES };
}

const MARK = `update messaging.outbox o
  set sent_at = now(), kafka_partition = u.kafka_partition, kafka_offset = u.kafka_offset
  from unnest($2::bigint[], $3::integer[], $4::bigint[]) u (id, kafka_partition, kafka_offset)
  where o.day = $1::date and o.id = u.id and o.sent_at is null`;

/**
 * Marks rows as sent, with partition and offset; one statement per day, so that each touches one table
 * partition.
 */
export async function markSent(
  db: Queryable,
  rows: readonly OutboxRow[],
  places: readonly SentTo[],
): Promise<void> {
  for (const day of new Set(rows.map((row) => row.day))) {
    const sent = rows.flatMap((row, n) => {
      const place = places[n];
      return row.day === day && place !== undefined ? [{ id: row.id, ...place }] : [];
    });
    await queryRows(db, {
      name: "outbox-mark",
      text: MARK,
      values: [
        day,
        sent.map((one) => one.id),
        sent.map((one) => one.partition),
        sent.map((one) => one.offset),
      ],
    });
  }
}
