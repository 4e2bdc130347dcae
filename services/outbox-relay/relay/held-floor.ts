import type { Queryable } from "../../platform/db/transaction.ts";
import { readHorizon } from "../reconcile/store/reconcile-step.ts";
import type { Fetched } from "./store/outbox-rows.ts";
import { VisibleCeiling } from "./visible-ceiling.ts";

const LOOK_MS = 1_000;

/** What a fetch leaves out; a floor holds for the same topics, refusals and shards only. */
export interface HeldRange {
  readonly held: readonly string[];
  readonly refusals: number;
  readonly shards: readonly number[];
}

/**
 * While Kafka refuses a topic, its rows pile up at the head of the unsent ones, where each fetch would read past all of
 * them. A fetch that found no more than it returned shows that what is left below belongs to held topics: the next one
 * begins above it. A floor ends with the hold, so that rows which became unsent again below it wait no longer than that.
 */
export class HeldFloor {
  readonly #ceiling = new VisibleCeiling();
  #highestVisible = 0;
  #lookedMs = -Infinity;
  #range = "";
  #floor = 0;

  /** The id above which to fetch. */
  async of(db: Queryable, range: HeldRange, nowMs: number): Promise<number> {
    const key = range.held.length === 0 ? "" : JSON.stringify(range);
    if (key !== this.#range) this.#floor = 0;
    this.#range = key;
    if (key === "" || nowMs < this.#lookedMs + LOOK_MS) return this.#floor;
    this.#lookedMs = nowMs;
    const horizon = await readHorizon(db);
    if (horizon !== null) this.#highestVisible = this.#ceiling.look(horizon);
    return this.#floor;
  }

  /** Takes the result of the fetch, and the ids that it left out because they were under way when it began. */
  fetched({ rows, full }: Fetched, underWay: readonly number[]): void {
    if (this.#range === "" || full) return;
    let floor = this.#highestVisible;
    for (const { id } of rows) floor = Math.min(floor, id - 1);
    for (const id of underWay) floor = Math.min(floor, id - 1);
    this.#floor = Math.max(this.#floor, floor);
  }
}
