import type { Logger } from "../../platform/logger.ts";
import type { AttemptResult, RecordedResult } from "../store/record-results.ts";

const MAX_BATCH = 250;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export interface ResultWriterOptions {
  readonly write: (results: readonly AttemptResult[]) => Promise<readonly RecordedResult[]>;
  /** Called once per written batch, with the results that were recorded. */
  readonly onRecorded: (
    results: readonly AttemptResult[],
    recorded: readonly RecordedResult[],
  ) => void;
  readonly log: Logger;
}

/**
 * Writes results as they come: what comes while a batch is written is the next one. A failed write is retried, since its
 * attempts were made.
 */
export class ResultWriter {
  readonly #options: ResultWriterOptions;
  readonly #waiting: AttemptResult[] = [];
  /** Resolves when nothing is left to write. */
  #writing: Promise<void> | null = null;
  #abandoned = false;

  constructor(options: ResultWriterOptions) {
    this.#options = options;
  }

  /** The number of results not yet handed to the database. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(result: AttemptResult): void {
    this.#waiting.push(result);
    this.#writing ??= this.#writeAll();
  }

  /**
   * Resolves when everything is written or at the deadline; the leases of the rest expire and are claimed
   * again.
   */
  async drain(deadlineMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, deadlineMs);
    });
    await Promise.race([this.#writing, late]);
    clearTimeout(timer);
    this.#abandoned = true;
  }

  async #writeAll(): Promise<void> {
    // What ends in the same turn is written together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0 && !this.#abandoned) {
      await this.#write(this.#waiting.splice(0, MAX_BATCH));
    }
    this.#writing = null;
  }

  async #write(batch: readonly AttemptResult[]): Promise<void> {
    const { write, onRecorded, log } = this.#options;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        onRecorded(batch, await write(batch));
        return;
      } catch (error) {
        if (this.#abandoned) return;
        const fields = { err: error, results: batch.length };
        log.warn(fields, "attempt results were not written; retrying");
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}
