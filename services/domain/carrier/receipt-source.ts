import { isUuid } from "../../platform/ids.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";

/** The message that a receipt is about; `topic` is the full name, including the prefix. */
export interface ReceiptSource {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Null where the sender gave none. */
  readonly messageId: string | null;
  readonly key: Buffer | null;
}

export function sourceOf({
  topic,
  partition,
  offset,
  key,
  headers,
  messageId,
}: RawMessage): ReceiptSource {
  const isGiven = headers["message-id"]?.toLowerCase() === messageId;
  return { topic, partition, offset, key, messageId: isGiven ? messageId : null };
}

/** The source as headers of a result, so that whoever applies it can write the receipt. */
export function sourceHeaders(source: ReceiptSource): Record<string, string> {
  const { topic, partition, offset, messageId, key } = source;
  return {
    "source-topic": topic,
    "source-partition": String(partition),
    "source-offset": String(offset),
    ...(messageId === null ? {} : { "source-message-id": messageId }),
    ...(key === null ? {} : { "source-key": key.toString("base64url") }),
  };
}

/** The source that a result's headers name; null for a result without them. */
export function sourceIn(headers: RawMessage["headers"]): ReceiptSource | null {
  const topic = headers["source-topic"];
  if (topic === undefined) return null;
  const messageId = headers["source-message-id"] ?? "";
  const key = headers["source-key"];
  return {
    topic,
    partition: Number(headers["source-partition"]),
    offset: Number(headers["source-offset"]),
    messageId: isUuid(messageId) ? messageId : null,
    key: key === undefined ? null : Buffer.from(key, "base64url"),
  };
}
