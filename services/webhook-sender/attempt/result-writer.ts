import { Linger } from "../../platform/linger.ts";
import type { Logger } from "../../platform/logger.ts";
import type { AttemptResult, RecordedResult } from "../store/record-results.ts";

const MAX_BATCH = 100;
const LINGER_MS = 5;
/** Under load, results wait for more of them: a batch costs more than its rows. */
const BUSY_LINGER_MS = 25;
const MAX_WRITES = 2;
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
 * Writes results in batches of 100, or after 5 ms (up to 25 ms under load). A failed write is retried, since
 * its attempts were made.
 */
export class ResultWriter {
  readonly #options: ResultWriterOptions;
  readonly #waiting: AttemptResult[] = [];
  #writes = 0;
  readonly #linger = new Linger(BUSY_LINGER_MS);
  #timer: NodeJS.Timeout | null = null;
  #abandoned = false;
  #onIdle: (() => void) | null = null;

  constructor(options: ResultWriterOptions) {
    this.#options = options;
  }

  /** The number of results not yet handed to the database. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(result: AttemptResult): void {
    this.#waiting.push(result);
    this.#linger.found(1, performance.now());
    if (this.#waiting.length >= MAX_BATCH) this.#flush();
    else this.#flushLater();
  }

  /**
   * Resolves when everything is written or at the deadline; the leases of the rest expire and are claimed
   * again.
   */
  async drain(deadlineMs: number): Promise<void> {
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    const timer = setTimeout(() => this.#onIdle?.(), deadlineMs);
    this.#flush();
    this.#notifyIfIdle();
    await idle;
    clearTimeout(timer);
    this.#abandoned = true;
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#writes < MAX_WRITES && this.#waiting.length > 0) {
      this.#writes += 1;
      void this.#write(this.#waiting.splice(0, MAX_BATCH));
    }
  }

  async #write(batch: readonly AttemptResult[]): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const recorded = await this.#options.write(batch);
        this.#options.onRecorded(batch, recorded);
        break;
      } catch (error) {
        if (this.#abandoned) return;
        this.#options.log.warn(
          { err: error, results: batch.length },
          "attempt results were not written; retrying",
        );
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    this.#writes -= 1;
    if (this.#waiting.length >= MAX_BATCH || this.#onIdle !== null) this.#flush();
    else if (this.#waiting.length > 0) this.#flushLater();
    this.#notifyIfIdle();
  }

  #flushLater(): void {
    if (this.#timer !== null) return;
    const waitMs = Math.max(LINGER_MS, this.#linger.msAt(performance.now()));
    this.#timer = setTimeout(() => this.#flush(), waitMs);
  }

  #notifyIfIdle(): void {
    if (this.#writes === 0 && this.#waiting.length === 0) this.#onIdle?.();
  }
}
