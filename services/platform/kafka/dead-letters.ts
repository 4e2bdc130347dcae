import type { Pool } from "pg";
import {
  insertInto,
  recordset,
  recordsetValue,
  type Columns,
  type RowOf,
} from "../db/recordset.ts";
import { inTransaction, queryRows, type Queryable } from "../db/transaction.ts";
import type { Clock } from "../clock.ts";
import { newIds } from "../ids.ts";
import { recordPosition } from "../inbox/inbox.ts";
import { writeOutbox } from "../outbox/outbox.ts";
import { nextTraceparent } from "../traceparent.ts";
import type { RawMessage } from "./raw-message.ts";

/** Why a message was dead-lettered. */
export interface DeadLetterCause {
  readonly code: string;
  readonly detail: string;
}

/** Notes in an order's timeline that a message about it was dead-lettered. */
export type DeadLetterNote = (
  tx: Queryable,
  raw: RawMessage,
  cause: DeadLetterCause,
) => Promise<void>;

export interface DeadLetterOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly consumer: string;
  readonly note?: DeadLetterNote;
}

const DEAD_LETTER = {
  id: "uuid",
  consumer: "text",
  topic: "text",
  kafka_partition: "integer",
  kafka_offset: "bigint",
  kafka_timestamp: "bigint",
  key: "bytea",
  value: "bytea",
  headers: "jsonb",
  message_id: "uuid",
  error_code: "text",
  error_detail: "text",
} as const satisfies Columns;

/**
 * The same record is stored once; a different record at the same offset of a recreated topic is another
 * dead letter.
 */
const INSERT = `${insertInto("messaging.dead_letters", DEAD_LETTER, recordset("$1", DEAD_LETTER))}
  on conflict (topic, kafka_partition, kafka_offset, consumer, kafka_timestamp, md5(value))
    do nothing returning id`;

/**
 * Writes the message's bytes to the table and to `<topic>.dead-letter` in one transaction, and advances
 * the position.
 */
export async function deadLetterMessage(
  options: DeadLetterOptions,
  raw: RawMessage,
  { code, detail }: DeadLetterCause,
): Promise<void> {
  const cause = { code, detail: writable(detail) };
  const [id = "", messageId = ""] = newIds(options.clock.now(), 2);
  await inTransaction(options.pool, async (tx) => {
    const written = await queryRows(tx, {
      text: INSERT,
      values: [
        recordsetValue(DEAD_LETTER, [{ id, ...deadLetterOf(options.consumer, raw, cause) }]),
      ],
    });
    if (written.length === 1) {
      await writeOutbox(tx, [
        {
          messageId,
          topic: `${raw.topic}.dead-letter`,
          key: raw.key,
          value: raw.value,
          headers: {
            traceparent: nextTraceparent(raw.headers["traceparent"]),
            "error-code": cause.code,
            "error-detail": cause.detail,
            "source-topic": raw.topic,
            "source-partition": String(raw.partition),
            "source-offset": String(raw.offset),
          },
        },
      ]);
      await options.note?.(tx, raw, cause);
    }
    const { topic, partition } = raw;
    await recordPosition(tx, options.consumer, { topic, partition, nextOffset: raw.offset + 1 });
  });
}

function deadLetterOf(
  consumer: string,
  raw: RawMessage,
  cause: DeadLetterCause,
): Omit<RowOf<typeof DEAD_LETTER>, "id"> {
  return {
    consumer,
    topic: raw.topic,
    kafka_partition: raw.partition,
    kafka_offset: raw.offset,
    kafka_timestamp: raw.timestamp,
    key: raw.key,
    value: raw.value,
    headers: writableHeaders(raw.headers),
    message_id: raw.messageId,
    error_code: cause.code,
    error_detail: cause.detail,
  };
}

const UNWRITABLE = /\0|\p{Surrogate}/gu;

/** Replaces NUL and lone surrogates, which Postgres refuses and which must not block a partition. */
function writable(text: string): string {
  return text.replaceAll(UNWRITABLE, "\ufffd");
}

function writableHeaders(headers: RawMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [writable(name), writable(value)]),
  );
}
