import type { EachBatchPayload } from "kafkajs";
import type { Logger } from "../logger.ts";

/** For how long a batch may make no progress before its consumer goes on without it. */
export const HELD_AFTER_MS = 2_000;

/** What a running batch reports and learns. */
export interface Holding {
  /** The batch has made progress: the time without it starts again. */
  readonly moved: () => void;
  /** Whether the consumer has gone on without the batch, and sends the heartbeats itself. */
  readonly isHeld: () => boolean;
}

export interface HeldPartitionsOptions {
  /** Infinity where batches wait on purpose. */
  readonly afterMs: number;
  readonly log: Logger;
}

type Payload = Pick<EachBatchPayload, "pause"> & {
  readonly batch: Pick<EachBatchPayload["batch"], "topic" | "partition" | "firstOffset">;
};

/**
 * The partitions whose batch waits: for a row that somebody else has locked, or between the tries of a handler that fails.
 * The client fetches nothing until every batch of its last fetch was handled, so one such batch would stop all topics and
 * partitions of the process. Instead its partition is paused while the batch goes on by itself, and resumed when it has
 * ended; a partition never has two batches at a time.
 */
export class HeldPartitions {
  readonly #options: HeldPartitionsOptions;
  readonly #held = new Map<string, Promise<void>>();

  constructor(options: HeldPartitionsOptions) {
    this.#options = options;
  }

  /**
   * Returns when the work has ended, or has made no progress for too long. Before that, what the work throws is thrown.
   * Work that ends later must do by itself what follows from its end.
   */
  async handle(payload: Payload, work: (holding: Holding) => Promise<void>): Promise<void> {
    const { topic, partition } = payload.batch;
    const place = `${topic}/${partition}`;
    const earlier = this.#held.get(place);
    if (earlier !== undefined) {
      // Assigned again before its last batch has ended: what it fetched is fetched again after that.
      void earlier.then(payload.pause());
      return;
    }
    const watch = watchProgress(this.#options.afterMs);
    const done = work({ moved: watch.moved, isHeld: () => this.#held.has(place) });
    const hasEnded = await Promise.race([done.then(() => true), watch.stopped]).finally(watch.end);
    if (!hasEnded) this.#hold(place, payload, done);
  }

  /** Resolves once no batch is held; those that are learn from the consumer that it stops. */
  async ended(): Promise<void> {
    await Promise.all(this.#held.values());
  }

  #hold(place: string, payload: Payload, done: Promise<void>): void {
    const { log } = this.#options;
    const { topic, partition } = payload.batch;
    const fields = { topic, partition, offset: Number(payload.batch.firstOffset()) };
    log.warn(fields, "a batch makes no progress; its partition is held, the others go on");
    const resume = payload.pause();
    const ended = done
      .catch((err: unknown) => log.error({ ...fields, err }, "a held batch failed"))
      .then(() => {
        this.#held.delete(place);
        resume();
      });
    this.#held.set(place, ended);
  }
}

interface ProgressWatch {
  /** Resolves to false after the time without progress. */
  readonly stopped: Promise<false>;
  readonly moved: () => void;
  readonly end: () => void;
}

function watchProgress(afterMs: number): ProgressWatch {
  let movedMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<false>((resolve) => {
    const look = (): void => {
      const leftMs = movedMs + afterMs - performance.now();
      if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs));
      else resolve(false);
    };
    if (Number.isFinite(afterMs)) timer = setTimeout(look, afterMs);
  });
  const moved = (): void => {
    movedMs = performance.now();
  };
  return { stopped, moved, end: () => clearTimeout(timer) };
}
