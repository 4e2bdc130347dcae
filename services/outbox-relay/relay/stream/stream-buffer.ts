import type { OutboxMessage } from "../outbox-message.ts";

/** A position of the log, which is a number of bytes. */
export type Position = bigint;

/** What is sent together, and the position that may be confirmed after it. */
export interface StreamBatch {
  readonly messages: readonly OutboxMessage[];
  /** Null where the batch ends within a transaction. */
  readonly position: Position | null;
}

/** Batches are this large at most, and a reader that is ahead by as much stops reading. */
export const BATCH = { rows: 1_000, bytes: 8_000_000 };

/** What was read of the log and not taken yet: messages in the order of commits, and positions between transactions. */
export class StreamBuffer {
  readonly #limits: typeof BATCH;
  #items: (OutboxMessage | Position)[] = [];
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

  addMessage(message: OutboxMessage): void {
    this.#items.push(message);
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
    let position: Position | null = null;
    let bytes = 0;
    let taken = 0;
    for (const item of this.#items) {
      if (typeof item === "bigint") {
        position = item;
      } else {
        if (messages.length >= this.#limits.rows || bytes >= this.#limits.bytes) break;
        messages.push(item);
        bytes += item.value?.length ?? 0;
      }
      taken += 1;
    }
    this.#items = this.#items.slice(taken);
    this.#rows -= messages.length;
    this.#bytes -= bytes;
    return { messages, position };
  }
}
