import type { KafkaMessage } from "kafkajs";
import { derivedId, uuidIn } from "../ids.ts";

/** A record as stored on the topic; `topic` is the full name, including the prefix. */
export interface RawMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
  /** From the header, or derived from position and timestamp if an external producer sent none. */
  readonly messageId: string;
  /** When the broker or producer stamped it, in epoch milliseconds. */
  readonly timestamp: number;
}

function textHeaders(message: KafkaMessage): Record<string, string> {
  const entries = Object.entries(message.headers ?? {}).map(([name, value]) => {
    const first = Array.isArray(value) ? value[0] : value;
    return [name, first === undefined ? "" : String(first)];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

export function toRawMessage(topic: string, partition: number, message: KafkaMessage): RawMessage {
  const headers = textHeaders(message);
  // Includes the timestamp, because the offsets of a recreated topic start at 0 again.
  const place = `${topic}/${partition}/${message.offset}/${message.timestamp}`;
  return {
    topic,
    partition,
    offset: Number(message.offset),
    key: message.key,
    value: message.value,
    headers,
    messageId: uuidIn(headers["message-id"]) ?? derivedId(place),
    timestamp: Number(message.timestamp),
  };
}
