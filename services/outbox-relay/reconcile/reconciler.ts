import type { Pool } from "pg";
import type { Counter } from "prom-client";
import { readTime } from "../../platform/db/database-clock.ts";
import type { PartitionSpan } from "../../platform/kafka/topic-offsets.ts";
import type { Logger } from "../../platform/logger.ts";
import {
  lowerPositions,
  readLowId,
  reconcileStep,
  type Expectations,
  type ReconcileResult,
  type TopicEnds,
} from "./store/reconcile-step.ts";

const STEP_ROWS = 2_000;
/** Steps per run over rows that wait for a consumer; the next run continues where this one stopped. */
const STEPS_OVER_UNDONE = 5;
const LOGGED_IDS = 20;

export interface ReconcilerOptions {
  readonly pool: Pool;
  readonly expected: Expectations;
  /** The partitions of each topic as Kafka has them; null for a missing topic. */
  readonly fetchSpans: () => Promise<ReadonlyMap<string, readonly PartitionSpan[] | null>>;
  readonly afterMs: number;
  /** False once the run must end: another process reads the slot, or the service is stopping. */
  readonly mayGoOn: () => boolean;
  /** Messages were left to the relay, which sends them from the table. */
  readonly onDeferred: () => void;
  readonly log: Logger;
  readonly reconciled: Counter;
  readonly remade: Counter;
}

/**
 * Compares sent messages with their topics and their effects (docs/contract/messages.md, Reconciler); runs in one process
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
    const known = await this.#findEnds();
    const undone = await this.#overDone(known);
    if (undone !== null) await this.#overUndone(undone, known);
  }

  async #findEnds(): Promise<TopicEnds> {
    const { pool, fetchSpans, log, remade } = this.#options;
    const askedAt = new Date(await readTime(pool));
    const ends: Record<string, number[]> = {};
    const found = await fetchSpans().catch((error: unknown) => {
      log.warn({ err: error }, "it is not known where topics end; only effects are looked at");
      return new Map<string, null>();
    });
    for (const [topic, spans] of found) {
      if (spans === null) {
        log.error({ topic }, "a topic that was in use is missing");
        continue;
      }
      ends[topic] = [];
      for (const { partition, nextOffset } of spans) ends[topic][partition] = nextOffset;
    }
    for (const topic of await lowerPositions(pool, { askedAt, ends })) {
      remade.inc();
      log.error({ topic }, "a topic was recreated or truncated; what it has lost is sent again");
    }
    return { askedAt, ends };
  }

  /**
   * Moves the watermark; returns where to continue after the first row that is not done, null if all are
   * done.
   */
  async #overDone(known: TopicEnds): Promise<number | null> {
    for (let from = await readLowId(this.#options.pool); ;) {
      const { last, undone } = await this.#step(from, known);
      if (last === null) return null;
      if (undone !== null) return last + 1;
      from = last + 1;
    }
  }

  async #overUndone(first: number, known: TopicEnds): Promise<void> {
    let from = Math.max(first, this.#beyond ?? first);
    for (let steps = 0; steps < STEPS_OVER_UNDONE && this.#options.mayGoOn(); steps += 1) {
      const { last } = await this.#step(from, known);
      if (last === null) {
        this.#beyond = null;
        return;
      }
      from = last + 1;
    }
    this.#beyond = from;
  }

  async #step(from: number, known: TopicEnds): Promise<ReconcileResult> {
    const { pool, expected, afterMs, onDeferred, log, reconciled } = this.#options;
    const result = await reconcileStep(pool, expected, { from, rows: STEP_ROWS, afterMs, known });
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
