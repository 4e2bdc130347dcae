import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Client, Connection } from "pg";
import { PgoutputPlugin } from "pg-logical-replication";
import { replicationClient } from "../../../platform/db/replication.ts";
import { constraintOf, databaseFault } from "../../../platform/db/database-fault.ts";
import { LogDecoder, statusMessage } from "./log-messages.ts";
import { StreamBuffer, type Position, type StreamBatch } from "./stream-buffer.ts";

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
      if (received.kind === "message") this.#buffer.addMessage(received.message);
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
