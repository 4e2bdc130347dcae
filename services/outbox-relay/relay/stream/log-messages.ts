import type { Pgoutput, PgoutputPlugin } from "pg-logical-replication";
import type { OutboxMessage } from "../outbox-message.ts";
import type { Position } from "./stream-buffer.ts";

/** What the server sends on a connection that reads its log. */
export type LogMessage =
  | { readonly kind: "message"; readonly message: OutboxMessage }
  /** Everything before the position was sent. */
  | { readonly kind: "position"; readonly position: Position; readonly wantsAnswer: boolean }
  | { readonly kind: "other" };

/** Microseconds between 1970 and Postgres' own epoch. */
const POSTGRES_EPOCH_US = 946_684_800_000_000n;
const FRAME_BYTES = 25;
const TAGS = { data: 0x77, keepalive: 0x6b, status: 0x72 };
const OTHER = { kind: "other" } as const;

/** The driver reads both into times of this machine's zone, or text. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = { id: Number, day: String };

/** A row of the outbox. */
export interface InsertedRow {
  readonly id: number;
  readonly day: string;
  readonly created_at: Date;
  readonly message_id: string;
  readonly topic: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly sealed_key_id: string | null;
}

export function toOutboxMessage(row: InsertedRow): OutboxMessage {
  const { id, day, topic, key, value, headers } = row;
  return {
    id,
    day,
    createdAt: row.created_at,
    messageId: row.message_id,
    topic,
    key,
    value,
    headers,
    sealedKeyId: row.sealed_key_id,
  };
}

/** Decodes what the server sends, for one connection: it describes a table before its first row. */
export class LogDecoder {
  readonly #plugin: PgoutputPlugin;

  constructor(plugin: PgoutputPlugin) {
    this.#plugin = plugin;
  }

  decode(chunk: Buffer): LogMessage {
    if (chunk[0] === TAGS.keepalive) {
      const position = chunk.readBigUInt64BE(1);
      return { kind: "position", position, wantsAnswer: chunk[17] === 1 };
    }
    if (chunk[0] !== TAGS.data) return OTHER;
    const parsed: Pgoutput.Message = this.#plugin.parse(chunk.subarray(FRAME_BYTES));
    if (parsed.tag === "relation") {
      for (const column of parsed.columns) column.parser = PARSERS[column.name] ?? column.parser;
    }
    if (parsed.tag === "insert") {
      return { kind: "message", message: toOutboxMessage(parsed.new as InsertedRow) };
    }
    if (parsed.tag !== "commit") return OTHER;
    return { kind: "position", position: toPosition(parsed.commitEndLsn), wantsAnswer: false };
  }
}

/** Postgres writes a position as two hexadecimal halves. */
export function toPosition(lsn: string | null): Position {
  const [high = "0", low = "0"] = (lsn ?? "0/0").split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Tells the server how far everything was sent, and asks it to answer. */
export function statusMessage(confirmed: Position, nowMs: number): Buffer {
  const status = Buffer.alloc(34);
  status[0] = TAGS.status;
  for (const at of [1, 9, 17]) status.writeBigUInt64BE(confirmed, at);
  status.writeBigInt64BE(BigInt(Math.trunc(nowMs)) * 1_000n - POSTGRES_EPOCH_US, 25);
  status[33] = 1;
  return status;
}
