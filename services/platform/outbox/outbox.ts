import { crc32 } from "node:zlib";
import { queryRows, type Queryable } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { nextTraceparent } from "../traceparent.ts";

/** Fixed, because a row's shard is written with it: ids of one key stay in one shard. */
export const OUTBOX_SHARDS = 4;

/** Below the topics' max.message.bytes: a larger row would block its shard for ever. */
const MAX_VALUE_BYTES = 1_900_000;
const MAX_DEAD_LETTER_BYTES = 3_900_000;

/** A message on its way to a topic; `topic` is the full name, prefix included. */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly topic: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export function shardOf(key: Buffer | null): number {
  return key === null ? 0 : crc32(key) % OUTBOX_SHARDS;
}

function checkSize(message: OutgoingMessage): void {
  const limit = message.topic.endsWith(".dead-letter") ? MAX_DEAD_LETTER_BYTES : MAX_VALUE_BYTES;
  const headers = Buffer.byteLength(JSON.stringify(message.headers ?? {}));
  if ((message.value?.length ?? 0) + (message.key?.length ?? 0) + headers > limit) {
    throw new AppError("rule_broken", `A message for ${message.topic} exceeds ${limit} bytes.`);
  }
}

/** The columns of `OUTBOX_INSERT`, for statements that write outbox rows together with their cause. */
export function outboxColumns(messages: readonly OutgoingMessage[]): unknown[] {
  messages.forEach(checkSize);
  return [
    messages.map((message) => message.messageId),
    messages.map((message) => message.topic),
    messages.map((message) => message.key),
    messages.map((message) => shardOf(message.key)),
    messages.map((message) => message.value),
    tracedHeaders(messages).map((headers) => JSON.stringify(headers)),
  ];
}

/** What is written of one key at once is one trace, unless a message goes on with another. */
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

/** The insert for `outboxColumns`, whose first parameter is `$first`; nothing is written where `condition` is false. */
export function outboxInsert(first: number, condition = "true"): string {
  const at = (n: number): string => `$${first + n}`;
  return `insert into messaging.outbox (message_id, topic, key, shard, value, headers)
    select u.message_id, u.topic, u.key, u.shard, u.value, u.headers
    from unnest(${at(0)}::uuid[], ${at(1)}::text[], ${at(2)}::bytea[], ${at(3)}::smallint[],
      ${at(4)}::bytea[], ${at(5)}::jsonb[]) with ordinality
      u (message_id, topic, key, shard, value, headers, nth)
    where ${condition}
    order by u.nth`;
}

const INSERT = outboxInsert(1);

/**
 * Writes messages to be relayed once the surrounding transaction commits. The caller holds the row lock of each key's
 * aggregate, so that ids of one key are in order.
 */
export async function writeOutbox(
  tx: Queryable,
  messages: readonly OutgoingMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await queryRows(tx, { name: "outbox-insert", text: INSERT, values: outboxColumns(messages) });
}
