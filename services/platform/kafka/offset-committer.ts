import type { Consumer } from "kafkajs";
import type { Logger } from "../logger.ts";

const FLUSH_MS = 500;

/**
 * Commits offsets after their effects, many at a time. A lost commit only causes redelivery, which every
 * consumer tolerates, so a failure (a rebalance, a broker restart) is only logged.
 */
export class OffsetCommitter {
  readonly #consumer: Consumer;
  readonly #log: Logger;
  readonly #pending = new Map<string, { topic: string; partition: number; offset: string }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(consumer: Consumer, log: Logger) {
    this.#consumer = consumer;
    this.#log = log;
  }

  mark(topic: string, partition: number, nextOffset: string): void {
    this.#pending.set(`${topic}/${partition}`, { topic, partition, offset: nextOffset });
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#pending.size === 0) return;
    const offsets = [...this.#pending.values()];
    this.#pending.clear();
    try {
      await this.#consumer.commitOffsets(offsets);
    } catch (error) {
      this.#log.debug({ reason: String(error) }, "offsets were not committed");
    }
  }
}
