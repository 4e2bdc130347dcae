import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Client, Connection } from "pg";
import { PgoutputPlugin, type Pgoutput } from "pg-logical-replication";
import { replicationClient } from "../../../platform/db/replication.ts";
import { constraintOf, databaseFault } from "../../../platform/db/database-fault.ts";
import type { OutboxMessage } from "../outbox-message.ts";

const PUBLICATION = "outbox";
const FEEDBACK_MS = 1_000;
/** Shorter than the server waits before it lets another read. */
const TRUSTED_MS = 3_000;
const CLOSE_MS = 1_000;

/** The parts of the driver's connection that its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
}

/** The messages of the outbox as they are committed, from the last confirmed position on. */
export type OutboxStream = Pick<
  SlotStream,
  "take" | "wait" | "wake" | "confirm" | "requireReader" | "close"
>;

/** Reads the slot. @throws where another process reads it, or it cannot be read any more */
export async function openOutboxStream(
  login: { readonly url: string; readonly service: string },
  slot: string,
): Promise<OutboxStream> {
  const client = replicationClient(login);
  const stream = new SlotStream(client);
  try {
    await client.connect();
    await stream.start(slot);
    return stream;
  } catch (error) {
    await stream.close();
    throw error;
  }
}

/** Whether the slot is read by another process. */
export function isReadByAnother(error: unknown): boolean {
  return constraintOf(error)?.state === "55006";
}

/** Whether the server no longer has what the slot stands for. */
export function isGone(error: unknown): boolean {
  return ["55000", "58P01"].includes(constraintOf(error)?.state ?? "");
}

class SlotStream {
  readonly #client: Client;
  readonly #connection: CopyConnection;
  readonly #plugin = new PgoutputPlugin({ protoVersion: 1, publicationNames: [PUBLICATION] });
  readonly #buffer = new StreamBuffer();
  #failure: unknown = null;
  #confirmed: Position = 0n;
  #isPaused = false;
  /** By the monotonic clock: when the server was heard of, and when this process last looked at the clock. */
  #heardMs = performance.now();
  #awakeMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => undefined;

  constructor(client: Client) {
    this.#client = client;
    this.#connection = client.connection as CopyConnection;
    client.on("error", (error) => this.#fail(error));
    client.on("end", () => this.#fail(new Error("The connection that reads the log has ended.")));
  }

  async start(slot: string): Promise<void> {
    const decoder = new LogDecoder(this.#plugin);
    const started = new Promise<void>((resolve) => {
      this.#connection.once("replicationStart", () => resolve());
    });
    this.#connection.on("copyData", ({ chunk }: { chunk: Buffer }) =>
      this.#receive(decoder, chunk),
    );
    const reading = this.#plugin.start(this.#client, slot, "0/0");
    const ended = Promise.resolve(reading).then(() => {
      throw new Error("The server has ended the stream.");
    });
    ended.catch((error: unknown) => this.#fail(error));
    await Promise.race([started, ended]);
    this.#awakeMs = performance.now();
    this.#timer = setInterval(() => this.#giveFeedback(), FEEDBACK_MS);
  }

  take(): StreamBatch {
    const batch = this.#buffer.take();
    if (this.#isPaused && !this.#buffer.isFull) {
      this.#isPaused = false;
      this.#heardMs = performance.now();
      this.#connection.stream.resume();
    }
    return batch;
  }

  /** Resolves once there is something to take, the stream has ended, or the time is over. */
  async wait(ms: number): Promise<void> {
    if (!this.#buffer.isEmpty || this.#failure !== null) return;
    const ended = new AbortController();
    const called = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([
      called,
      pause(ms, undefined, { signal: ended.signal }).catch(() => undefined),
    ]);
    ended.abort();
  }

  /** Ends a wait. */
  wake(): void {
    this.#wake();
  }

  /** From where on a later reader begins. */
  confirm(position: Position): void {
    if (position <= this.#confirmed || this.#failure !== null) return;
    this.#confirmed = position;
    this.#sendStatus();
  }

  /** @throws once this process may no longer be the only reader */
  requireReader(): void {
    const now = performance.now();
    if (now - this.#awakeMs > TRUSTED_MS) this.#fail(new Error("This process was frozen."));
    // What is not read is not heard: the server has the feedback of a reader that is behind.
    if (!this.#isPaused && now - this.#heardMs > TRUSTED_MS) {
      this.#fail(new Error("Postgres is silent."));
    }
    if (this.#failure !== null) throw databaseFault(this.#failure);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#failure === null) this.#sendStatus();
    this.#fail(new Error("The stream is closed."));
    this.#connection.stream.resume();
    const ended = once(this.#client, "end").catch(() => undefined);
    // The driver's own end would cut a connection that reads, of which the server complains.
    this.#connection.end();
    await Promise.race([ended, pause(CLOSE_MS, undefined, { ref: false })]);
    this.#connection.stream.destroy();
  }

  #receive(decoder: LogDecoder, chunk: Buffer): void {
    if (this.#failure !== null) return;
    this.#heardMs = performance.now();
    try {
      const received = decoder.decode(chunk);
      if (received.kind === "other") return;
      if (received.kind === "message") this.#buffer.addMessage(received.message, received.xid);
      else this.#buffer.addPosition(received.position);
      if (received.kind === "position" && received.wantsAnswer) this.#sendStatus();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (!this.#isPaused && this.#buffer.isFull) {
      this.#isPaused = true;
      this.#connection.stream.pause();
    }
    this.#wake();
  }

  #giveFeedback(): void {
    const now = performance.now();
    if (now - this.#awakeMs > TRUSTED_MS) this.#fail(new Error("This process was frozen."));
    this.#awakeMs = now;
    if (this.#failure === null) this.#sendStatus();
  }

  #sendStatus(): void {
    this.#connection.sendCopyFromChunk(statusMessage(this.#confirmed, Date.now()));
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#wake();
  }
}

/** A position of the log, which is a number of bytes. */
export type Position = bigint;

/** What is sent together, and the position that may be confirmed after it. */
export interface StreamBatch {
  readonly messages: readonly OutboxMessage[];
  /** The transactions that wrote them, by the lower 32 bits of their ids. */
  readonly xids: ReadonlySet<number>;
  /** Null where the batch ends within a transaction. */
  readonly position: Position | null;
}

/** Batches are this large at most, and a reader that is ahead by as much stops reading. */
const BATCH = { rows: 1_000, bytes: 8_000_000 };

/** What was read of the log and not taken yet: messages in the order of commits, and positions between transactions. */
export class StreamBuffer {
  readonly #limits: typeof BATCH;
  #items: ({ readonly message: OutboxMessage; readonly xid: number | null } | Position)[] = [];
  #rows = 0;
  #bytes = 0;

  constructor(limits = BATCH) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  get isFull(): boolean {
    return this.#rows >= this.#limits.rows || this.#bytes >= this.#limits.bytes;
  }

  /** `xid` is null for what was read from the table. */
  addMessage(message: OutboxMessage, xid: number | null): void {
    this.#items.push({ message, xid });
    this.#rows += 1;
    this.#bytes += message.value?.length ?? 0;
  }

  /** Everything before it was added. */
  addPosition(position: Position): void {
    if (typeof this.#items.at(-1) === "bigint") this.#items.pop();
    this.#items.push(position);
  }

  /** The first messages, as many as are sent at once; only the last may exceed the limit of bytes. */
  take(): StreamBatch {
    const messages: OutboxMessage[] = [];
    const xids = new Set<number>();
    let position: Position | null = null;
    let bytes = 0;
    let taken = 0;
    for (const item of this.#items) {
      if (typeof item === "bigint") {
        position = item;
      } else {
        if (messages.length >= this.#limits.rows || bytes >= this.#limits.bytes) break;
        messages.push(item.message);
        if (item.xid !== null) xids.add(item.xid);
        bytes += item.message.value?.length ?? 0;
      }
      taken += 1;
    }
    this.#items = this.#items.slice(taken);
    this.#rows -= messages.length;
    this.#bytes -= bytes;
    return { messages, xids, position };
  }
}

/** What the server sends on a connection that reads its log. */
type LogMessage =
  | { readonly kind: "message"; readonly message: OutboxMessage; readonly xid: number }
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
class LogDecoder {
  readonly #plugin: PgoutputPlugin;
  #xid = 0;

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
    if (parsed.tag === "begin") this.#xid = parsed.xid;
    if (parsed.tag === "insert") {
      const message = toOutboxMessage(parsed.new as InsertedRow);
      return { kind: "message", message, xid: this.#xid };
    }
    if (parsed.tag !== "commit") return OTHER;
    return { kind: "position", position: toPosition(parsed.commitEndLsn), wantsAnswer: false };
  }
}

/** Postgres writes a position as two hexadecimal halves. */
function toPosition(lsn: string | null): Position {
  const [high = "0", low = "0"] = (lsn ?? "0/0").split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** Tells the server how far everything was sent, and asks it to answer. */
function statusMessage(confirmed: Position, nowMs: number): Buffer {
  const status = Buffer.alloc(34);
  status[0] = TAGS.status;
  for (const at of [1, 9, 17]) status.writeBigUInt64BE(confirmed, at);
  status.writeBigInt64BE(BigInt(Math.trunc(nowMs)) * 1_000n - POSTGRES_EPOCH_US, 25);
  status[33] = 1;
  return status;
}
