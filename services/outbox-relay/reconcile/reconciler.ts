import type { Pool } from "pg";
import type { Counter } from "prom-client";
import type { Logger } from "../../platform/logger.ts";
import {
  readLowId,
  reconcileStep,
  type Expectations,
  type ReconcileResult,
} from "./store/reconcile-step.ts";

const STEP_ROWS = 2_000;
/** Steps per run over rows that wait for a consumer; the next run continues where this one stopped. */
const STEPS_OVER_UNDONE = 5;
const LOGGED_IDS = 20;

export interface ReconcilerOptions {
  readonly pool: Pool;
  readonly expected: Expectations;
  readonly afterMs: number;
  /** False once the run must end: the lock was lost, or the service is stopping. */
  readonly mayGoOn: () => boolean;
  /** Messages were left to the relay, which sends them from the table. */
  readonly onDeferred: () => void;
  readonly log: Logger;
  readonly reconciled: Counter;
}

/**
 * Compares sent messages with their effects (docs/contract/messages.md, Reconciler); runs in one process
 * at a time.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  /** Where the scan beyond the first undone row continues; null starts at the watermark. */
  #beyond: number | null = null;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** One run: scans all done rows, and some of the rows after the first undone one. */
  async run(): Promise<void> {
    const undone = await this.#overDone(await readLowId(this.#options.pool));
    if (undone !== null) await this.#overUndone(undone);
  }

  /**
   * Moves the watermark; returns where to continue after the first row that is not done, null if all are
   * done.
   */
  async #overDone(lowId: number): Promise<number | null> {
    for (let from = lowId; ;) {
      const { last, undone } = await this.#step(from);
      if (last === null) return null;
      if (undone !== null) return last + 1;
      from = last + 1;
    }
  }

  async #overUndone(first: number): Promise<void> {
    let from = Math.max(first, this.#beyond ?? first);
    for (let steps = 0; steps < STEPS_OVER_UNDONE && this.#options.mayGoOn(); steps += 1) {
      const { last } = await this.#step(from);
      if (last === null) {
        this.#beyond = null;
        return;
      }
      from = last + 1;
    }
    this.#beyond = from;
  }

  async #step(from: number): Promise<ReconcileResult> {
    const { pool, expected, afterMs, onDeferred, log, reconciled } = this.#options;
    const result = await reconcileStep(pool, expected, { from, rows: STEP_ROWS, afterMs });
    const { resent } = result;
    if (resent.length > 0) {
      reconciled.inc(resent.length);
      onDeferred();
      const fields = { rows: resent.length, message_ids: resent.slice(0, LOGGED_IDS) };
      log.warn(fields, "messages without an effect will be sent again");
    }
    return result;
  }
}
