import {
  insertInto,
  recordset,
  recordsetValue,
  type Columns,
  type RowOf,
} from "../db/recordset.ts";
import { queryRows, type Queryable } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { MAX_KEY_BYTES } from "../kafka/raw-message.ts";
import { nextTraceparent } from "../traceparent.ts";

/** Below the topics' max.message.bytes: a larger message could never be sent. */
const MAX_VALUE_BYTES = 1_900_000;
const MAX_DEAD_LETTER_BYTES = 3_900_000;
/** Lengths, the headers that the producer adds, the lengths of some more. */
const RECORD_BYTES = 200;

/** A message to be sent to a topic; `topic` is the full name, including the prefix. */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly topic: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names the key of a sealed value, which the relay opens just before it sends it. */
  readonly sealedKeyId?: string | null;
}

/** The bytes of its parts, and of what a record has beside them. */
export function messageBytes({ key, value, headers = {} }: OutgoingMessage): number {
  const texts = Object.entries(headers).flat();
  const headerBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return (key?.length ?? 0) + (value?.length ?? 0) + headerBytes + RECORD_BYTES;
}

function checkSize(message: OutgoingMessage): void {
  const keyBytes = message.key?.length ?? 0;
  if (keyBytes > MAX_KEY_BYTES) {
    throw new AppError("rule_broken", `A key for ${message.topic} exceeds ${MAX_KEY_BYTES} bytes.`);
  }
  const limit = message.topic.endsWith(".dead-letter") ? MAX_DEAD_LETTER_BYTES : MAX_VALUE_BYTES;
  if (messageBytes(message) > limit) {
    throw new AppError("rule_broken", `A message for ${message.topic} exceeds ${limit} bytes.`);
  }
}

const MESSAGE = {
  message_id: "uuid",
  topic: "text",
  key: "bytea",
  value: "bytea",
  headers: "jsonb",
  sealed_key_id: "text",
} as const satisfies Columns;

/** A message for statements that write outbox rows together with their cause, ordered by `nth`. */
export const OUTBOX_ROW = { nth: "integer", ...MESSAGE } as const satisfies Columns;

type OutboxRow = RowOf<typeof OUTBOX_ROW>;

export function outboxRows(messages: readonly OutgoingMessage[]): OutboxRow[] {
  messages.forEach(checkSize);
  const headers = tracedHeaders(messages);
  return messages.map(({ messageId, topic, key, value, sealedKeyId = null }, nth) => ({
    nth,
    message_id: messageId,
    topic,
    key,
    value,
    headers: headers[nth],
    sealed_key_id: sealedKeyId,
  }));
}

/** Messages of one key written together share a trace, unless one continues another trace. */
function tracedHeaders(messages: readonly OutgoingMessage[]): Record<string, string>[] {
  const traces = new Map<string, string>();
  return messages.map(({ key, headers = {} }) => {
    const given = headers["traceparent"];
    if (given !== undefined) return { ...headers };
    const name = key?.toString("latin1") ?? "";
    const traceparent = nextTraceparent(traces.get(name));
    traces.set(name, traceparent);
    return { ...headers, traceparent };
  });
}

/** The insert of `rows`, a recordset with the columns of `OUTBOX_ROW`, in order, filtered by `condition`. */
export function outboxInsert(rows: string, condition = "true"): string {
  return `${insertInto("messaging.outbox", MESSAGE, rows)} where ${condition} order by u.nth`;
}

const INSERT = outboxInsert(recordset("$1", OUTBOX_ROW));

/**
 * Writes messages to be relayed once the surrounding transaction commits. The caller holds the row lock
 * of each key's aggregate, so that ids of one key are in order.
 */
export async function writeOutbox(
  tx: Queryable,
  messages: readonly OutgoingMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const values = [recordsetValue(OUTBOX_ROW, outboxRows(messages))];
  await queryRows(tx, { name: "outbox-insert", text: INSERT, values });
}
