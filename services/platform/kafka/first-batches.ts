import type { ReadAttempts, ReadPartition } from "../inbox/read-attempts.ts";
import type { Logger } from "../logger.ts";
import { classifyError } from "./classify-error.ts";
import type { OnBatch } from "./consumer.ts";
import { BatchInterrupted, type BatchControl } from "./handle-batch.ts";
import type { RawMessage } from "./raw-message.ts";

/** With the batch that it was in, a record has then ended three readers. */
const MOST_ATTEMPTS = 2;
/** A record that takes longer may cost its reader the membership, and so come again. */
const LONG_MS = 2_000;
const TURN_MS = 20;
const RETRY_MS = 500;

export interface FirstBatchesOptions {
  readonly consumer: string;
  readonly attempts: ReadAttempts;
  readonly turns: Turns;
  readonly handle: OnBatch;
  /** Dead-letters a record that ends its readers, without reading it. */
  readonly giveUp: (raw: RawMessage, control: BatchControl) => Promise<void>;
  readonly log: Logger;
}

export interface FirstBatches {
  readonly onBatch: OnBatch;
  /** To be called after each assignment: another reader may have ended at a partition meanwhile. */
  forget(): void;
}

/** Of a process: what ends it is then what has the turn. */
export class Turns {
  #isTaken = false;

  take(): boolean {
    if (this.#isTaken) return false;
    this.#isTaken = true;
    return true;
  }

  give(): void {
    this.#isTaken = false;
  }
}

/**
 * Gets past a record that kills or hangs whoever reads it, whatever the reason. The first batch of a partition is noted
 * before and forgotten after it was handled, which is all that this costs; later ones cost nothing. A reader that finds
 * such a note handles the records of its first batch one by one, each noted before, and no two in a process at once. A
 * record that was noted twice already, besides its batch, is given up.
 */
export function guardFirstBatches(options: FirstBatchesOptions): FirstBatches {
  const { consumer, attempts, handle, log } = options;
  const handled = new Set<string>();
  const onBatch: OnBatch = async (batch, control) => {
    const [first] = batch;
    if (first === undefined) return;
    const { topic, partition } = first;
    const name = `${topic}/${partition}`;
    if (handled.has(name)) return handle(batch, control);
    const place = { consumer, topic, partition };
    const readers = await persist({ control, log }, () => attempts.begin(place));
    if (readers === 1) {
      await handle(batch, control);
    } else {
      log.warn({ ...place, offset: first.offset, readers }, "earlier readers ended at a partition");
      const alone = new AloneReader(options, place);
      for (const raw of batch) {
        await alone.read(raw, control);
        // Otherwise a later one that ends this reader would bring it back, and its count would begin again.
        await control.commit(raw.offset + 1);
      }
    }
    await persist({ control, log }, () => attempts.end(place));
    handled.add(name);
  };
  return { onBatch, forget: () => handled.clear() };
}

/** Handles records one by one, and counts how often each was begun with. */
class AloneReader {
  readonly #options: FirstBatchesOptions;
  readonly #place: ReadPartition;

  constructor(options: FirstBatchesOptions, place: ReadPartition) {
    this.#options = options;
    this.#place = place;
  }

  async read(raw: RawMessage, control: BatchControl): Promise<void> {
    const { attempts, turns, handle, giveUp, log } = this.#options;
    while (!turns.take()) {
      if (!(await control.wait(TURN_MS))) throw new BatchInterrupted();
    }
    const begun = performance.now();
    const turn = { counts: true };
    const forgive = async (): Promise<void> => {
      if (!turn.counts) return;
      turn.counts = false;
      turns.give();
      await attempts.forgive(this.#place).catch((err: unknown) => {
        log.warn({ err }, "an attempt could not be taken back");
      });
    };
    try {
      const note = () => attempts.attempt(this.#place, raw.offset);
      if ((await persist({ control, log }, note)) > MOST_ATTEMPTS) {
        await giveUp(raw, control);
        return;
      }
      // Whoever waits has neither died nor hung.
      const waiting: BatchControl = {
        ...control,
        wait: async (ms) => {
          await forgive();
          return control.wait(ms);
        },
      };
      await handle([raw], waiting);
    } finally {
      // Also where it was interrupted: by a stop, or because the partition is another member's now.
      if (performance.now() - begun < LONG_MS) await forgive();
      if (turn.counts) turns.give();
    }
  }
}

interface Persisting {
  readonly control: BatchControl;
  readonly log: Logger;
}

/** Retries while the database is away. */
async function persist<T>({ control, log }: Persisting, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (err) {
      if (classifyError(err) !== "transient") throw err;
      log.warn({ err }, "a partition waits for the database");
      if (!(await control.wait(RETRY_MS))) throw new BatchInterrupted();
    }
  }
}
