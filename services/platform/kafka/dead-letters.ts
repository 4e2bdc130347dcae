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
import type { MessageSeal, StoredValue } from "../outbox/message-seal.ts";
import { writeOutbox, type OutgoingMessage } from "../outbox/outbox.ts";
import { SEALED_HEAD_BYTES } from "../secret-box.ts";
import { nextTraceparent } from "../traceparent.ts";
import { headerText, withoutExcess, type RawMessage } from "./raw-message.ts";

/** Why a message was dead-lettered. */
export interface DeadLetterCause {
  readonly code: string;
  readonly detail: string;
}

/** Writes more in the transaction of a dead letter. */
export type DeadLetterNote = (tx: Queryable, cause: DeadLetterCause) => Promise<void>;

/** What can be read of a message that is dead-lettered, and what else is written of it. */
interface DeadLetterDescription {
  /** More headers of the dead letter. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The UUID of the order that the message names, where its key may be another. */
  readonly orderId?: string | null;
  readonly note?: DeadLetterNote;
}

/** Reads a message once, before the transaction of its dead letter, unless `isReadable` is false. @throws transient faults */
export type DescribeDeadLetter = (
  raw: RawMessage,
  isReadable: boolean,
) => DeadLetterDescription | Promise<DeadLetterDescription>;

/** The code of a message that ended whoever read it. */
export const NOT_READ = "handler_died";

export interface DeadLetterOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly consumer: string;
  /** Needed where a topic's values are secret. */
  readonly seal?: MessageSeal;
  readonly describe?: DescribeDeadLetter;
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
  sealed_key_id: "text",
  message_id: "uuid",
  order_id: "uuid",
  error_code: "text",
  error_detail: "text",
} as const satisfies Columns;

/**
 * The same record is stored once; a different record at the same offset of a recreated topic is another
 * dead letter.
 */
const INSERT = `${insertInto("messaging.dead_letters", DEAD_LETTER, recordset("$1", DEAD_LETTER))}
  on conflict do nothing returning id`;

/** A message that is dead-lettered, as it came. */
export interface Refused {
  readonly raw: RawMessage;
  readonly cause: DeadLetterCause;
}

/**
 * Writes the bytes of successive messages of a partition, sealed where they are secret, to the table and to
 * `<topic>.dead-letter` in one transaction, and advances the position past the last. A key that is too long and further
 * headers stay behind.
 */
export async function deadLetterMessages(
  options: DeadLetterOptions,
  refused: readonly Refused[],
): Promise<void> {
  const last = refused.at(-1)?.raw;
  if (last === undefined) return;
  const letters: Letter[] = [];
  for (const one of refused) letters.push(await letterOf(options, one));
  const rows = letters.map(({ row }) => row);
  await inTransaction(options.pool, async (tx) => {
    const written = await queryRows<{ id: string }>(tx, {
      text: INSERT,
      values: [recordsetValue(DEAD_LETTER, rows)],
    });
    const ids = new Set(written.map(({ id }) => id));
    const fresh = letters.filter(({ row }) => ids.has(row.id));
    await writeOutbox(
      tx,
      fresh.map(({ message }) => message),
    );
    for (const { note, cause } of fresh) await note?.(tx, cause);
    const { topic, partition, offset } = last;
    await recordPosition(tx, options.consumer, { topic, partition, nextOffset: offset + 1 });
  });
}

interface Letter {
  readonly row: RowOf<typeof DEAD_LETTER> & { readonly id: string };
  readonly message: OutgoingMessage;
  readonly cause: DeadLetterCause;
  readonly note: DeadLetterNote | undefined;
}

async function letterOf(options: DeadLetterOptions, refused: Refused): Promise<Letter> {
  const raw = withoutExcess(refused.raw);
  const { code } = refused.cause;
  const cause = { code, detail: headerText(refused.cause.detail) };
  const [id = "", messageId = ""] = newIds(options.clock.now(), 2);
  const {
    headers = {},
    orderId = null,
    note,
  } = (await options.describe?.(raw, code !== NOT_READ)) ?? {};
  const stored = options.seal?.seal(raw.value, raw) ?? { value: raw.value, sealedKeyId: null };
  return {
    row: {
      id,
      ...deadLetterOf(options.consumer, raw, cause),
      order_id: orderId,
      value: stored.value,
      sealed_key_id: stored.sealedKeyId,
    },
    message: {
      messageId,
      topic: `${raw.topic}.dead-letter`,
      key: raw.key,
      ...published(stored, {
        ...writableHeaders(headers),
        traceparent: nextTraceparent(raw.headers["traceparent"]),
        "error-code": cause.code,
        "error-detail": cause.detail,
        "source-topic": raw.topic,
        "source-partition": String(raw.partition),
        "source-offset": String(raw.offset),
        "source-message-id": raw.messageId,
      }),
    },
    cause,
    note,
  };
}

/**
 * A sealed value stays sealed on the topic: its ciphertext, as long as the source's bytes, with key id, nonce and tag in
 * the header `sealed`.
 */
function published({ value, sealedKeyId }: StoredValue, headers: Readonly<Record<string, string>>) {
  if (value === null || sealedKeyId === null) return { value, headers };
  const head = value.subarray(0, SEALED_HEAD_BYTES).toString("base64url");
  const sealed = `${sealedKeyId}.${head}`;
  return { value: value.subarray(SEALED_HEAD_BYTES), headers: { ...headers, sealed } };
}

function deadLetterOf(
  consumer: string,
  raw: RawMessage,
  cause: DeadLetterCause,
): Omit<RowOf<typeof DEAD_LETTER>, "id" | "order_id" | "value" | "sealed_key_id"> {
  return {
    consumer,
    topic: raw.topic,
    kafka_partition: raw.partition,
    kafka_offset: raw.offset,
    kafka_timestamp: raw.timestamp,
    key: raw.key,
    headers: writableHeaders(raw.headers),
    message_id: raw.messageId,
    error_code: cause.code,
    error_detail: cause.detail,
  };
}

function writableHeaders(headers: RawMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [headerText(name), headerText(value)]),
  );
}
