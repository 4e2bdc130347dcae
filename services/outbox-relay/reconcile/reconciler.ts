import type { Pool } from "pg";
import type { Counter } from "prom-client";
import type { Logger } from "../../platform/logger.ts";
import {
  readHorizon,
  reconcileStep,
  type Expectations,
  type ReconcileResult,
} from "./store/reconcile-step.ts";
import { VisibleCeiling } from "../relay/visible-ceiling.ts";

const STEP_ROWS = 2_000;
/** Steps of one turn over rows that wait for a consumer; the next turn goes on where this one stopped. */
const STEPS_OVER_UNDONE = 5;
const LOGGED_IDS = 20;

export interface ReconcilerOptions {
  readonly pool: Pool;
  readonly expected: Expectations;
  readonly afterMs: number;
  /** False once the turn must end: the lock is gone, or the service stops. */
  readonly mayGoOn: () => boolean;
  readonly log: Logger;
  readonly reconciled: Counter;
}

/** Compares what was sent with what has come of it (docs/contract/messages.md, Reconciler); one process at a time. */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #ceiling = new VisibleCeiling();
  /** Where the look at rows beyond an undone one goes on; null: at the watermark. */
  #beyond: number | null = null;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** One turn: over all that is done, and some way into what is not. */
  async run(): Promise<void> {
    const horizon = await readHorizon(this.#options.pool);
    if (horizon === null) return;
    const ceiling = this.#ceiling.look(horizon);
    const undone = await this.#overDone(horizon.low_id, ceiling);
    if (undone !== null) await this.#overUndone(undone, ceiling);
  }

  /** Moves the watermark; returns where to look on once it has met a row that is not done. */
  async #overDone(lowId: number, ceiling: number): Promise<number | null> {
    for (let from = lowId; from <= ceiling;) {
      const { last, undone } = await this.#step(from, ceiling);
      if (last === null) return null;
      if (undone !== null) return last + 1;
      from = last + 1;
    }
    return null;
  }

  async #overUndone(first: number, ceiling: number): Promise<void> {
    let from = Math.max(first, this.#beyond ?? first);
    for (let steps = 0; steps < STEPS_OVER_UNDONE && this.#options.mayGoOn(); steps += 1) {
      const { last } = await this.#step(from, ceiling);
      if (last === null) {
        this.#beyond = null;
        return;
      }
      from = last + 1;
    }
    this.#beyond = from;
  }

  async #step(from: number, ceiling: number): Promise<ReconcileResult> {
    const { pool, expected, afterMs, log, reconciled } = this.#options;
    const result = await reconcileStep(pool, expected, { from, ceiling, rows: STEP_ROWS, afterMs });
    const { resent } = result;
    if (resent.length > 0) {
      reconciled.inc(resent.length);
      const fields = { rows: resent.length, message_ids: resent.slice(0, LOGGED_IDS) };
      log.warn(fields, "messages without their effect are sent again");
    }
    return result;
  }
}
