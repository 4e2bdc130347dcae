import type { KafkaMessage } from "kafkajs";
import { derivedId, uuidIn } from "../ids.ts";

const UNWRITABLE = /\0|\p{Surrogate}/gu;

/** Replaces NUL and lone surrogates, which Postgres refuses and which must not block a partition. */
export function headerText(text: string): string {
  return text.replaceAll(UNWRITABLE, "\ufffd");
}

/** No key of ours is longer: they are ids, phone numbers and hashes. */
export const MAX_KEY_BYTES = 255;
const MAX_HEADERS = 64;
/** Name a record, and so are left to it. */
const OWN_HEADERS = ["message-id", "traceparent"];

/** A record as stored on the topic; `topic` is the full name, including the prefix. */
export interface RawMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Of several values under a name the first. */
  readonly headers: Readonly<Record<string, string>>;
  /** With those that have the same name. */
  readonly headerCount: number;
  /** From the header, or derived from position and timestamp if an external producer sent none. */
  readonly messageId: string;
  /** When the broker or producer stamped it, in epoch milliseconds. */
  readonly timestamp: number;
}

/** What a foreign record has too much of, as a sentence; null for nothing. */
export function findExcess({ key, headerCount }: RawMessage): string | null {
  if (key !== null && key.length > MAX_KEY_BYTES) {
    return `The key has more than ${MAX_KEY_BYTES} bytes.`;
  }
  return headerCount > MAX_HEADERS ? `There are more than ${MAX_HEADERS} headers.` : null;
}

/** The record without a key that is too long and with few of its headers: as it may be stored and sent on. */
export function withoutExcess(raw: RawMessage): RawMessage {
  if (findExcess(raw) === null) return raw;
  const first = Object.entries(raw.headers).slice(0, MAX_HEADERS - OWN_HEADERS.length);
  const own = Object.entries(raw.headers).filter(([name]) => OWN_HEADERS.includes(name));
  const headers = Object.fromEntries([...first, ...own]);
  const key = raw.key !== null && raw.key.length > MAX_KEY_BYTES ? null : raw.key;
  return { ...raw, key, headers, headerCount: Object.keys(headers).length };
}

function textHeaders(message: KafkaMessage): Record<string, string> {
  const entries = Object.entries(message.headers ?? {}).map(([name, value]) => {
    const first = Array.isArray(value) ? value[0] : value;
    return [name, first === undefined ? "" : String(first)];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

function countHeaders({ headers = {} }: KafkaMessage): number {
  return Object.values(headers).reduce(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 1),
    0,
  );
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
    headerCount: countHeaders(message),
    messageId: uuidIn(headers["message-id"]) ?? derivedId(place),
    timestamp: Number(message.timestamp),
  };
}
