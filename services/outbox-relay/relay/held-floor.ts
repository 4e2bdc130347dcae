import type { Queryable } from "../../platform/db/transaction.ts";
import { readHorizon } from "../reconcile/store/reconcile-step.ts";
import type { FetchedPastHeld } from "./store/outbox-rows.ts";
import { VisibleCeiling } from "./visible-ceiling.ts";

const LOOK_MS = 1_000;
/** Looks without a pause, until short transactions have ended and the first ceiling is known. */
const FIRST_LOOKS = 20;

export interface HeldTopics {
  /** Those that were refused, and not accepted since. */
  readonly refused: readonly string[];
  /** Those of them whose rows are left out. */
  readonly held: readonly string[];
}

export interface Examined extends HeldTopics {
  /** Ids that were left out because they were under way. */
  readonly underWay: readonly number[];
}

/**
 * While Kafka refuses a topic, its rows pile up at the head of the unsent ones, where each fetch would read past all of
 * them. So a floor is kept for each refused topic, and one for all others: no row of theirs waits at or below it, nor can
 * one appear there. That stays true however often a topic is refused, held and tried.
 */
export class HeldFloor {
  readonly #ceiling = new VisibleCeiling();
  readonly #ofRefused = new Map<string, number>();
  #ofOthers = 0;
  #highestVisible = 0;
  #looks = 0;
  #lookedMs = -Infinity;

  /** Whether no floor can rise yet, and is likely to within moments. */
  get isOpening(): boolean {
    return this.#highestVisible === 0 && this.#looks < FIRST_LOOKS;
  }

  /** Finds out up to where every row is visible to the statements that begin afterwards. */
  async look(db: Queryable, nowMs: number): Promise<void> {
    if (!this.isOpening && nowMs < this.#lookedMs + LOOK_MS) return;
    this.#lookedMs = nowMs;
    this.#looks += 1;
    const horizon = await readHorizon(db);
    if (horizon !== null) this.#highestVisible = this.#ceiling.look(horizon);
  }

  /** The id above which all rows lie that are not held. */
  of({ refused, held }: HeldTopics): number {
    this.#know(refused);
    const tried = [...this.#ofRefused].filter(([topic]) => !held.includes(topic));
    return Math.min(this.#ofOthers, ...tried.map(([, floor]) => floor));
  }

  /** Takes what a fetch above the floor found. */
  examined(
    { rows, examinedTo }: Pick<FetchedPastHeld, "rows" | "examinedTo">,
    { refused, held, underWay }: Examined,
  ): void {
    this.#know(refused);
    let floor = Math.min(this.#highestVisible, examinedTo ?? Infinity);
    for (const { id } of rows) floor = Math.min(floor, id - 1);
    for (const id of underWay) floor = Math.min(floor, id - 1);
    this.#ofOthers = Math.max(this.#ofOthers, floor);
    for (const [topic, before] of this.#ofRefused) {
      if (!held.includes(topic)) this.#ofRefused.set(topic, Math.max(before, floor));
    }
  }

  /** A topic that is refused was one of the others until then; one that is accepted is so again. */
  #know(refused: readonly string[]): void {
    for (const topic of refused) {
      if (!this.#ofRefused.has(topic)) this.#ofRefused.set(topic, this.#ofOthers);
    }
    for (const [topic, floor] of this.#ofRefused) {
      if (refused.includes(topic)) continue;
      this.#ofRefused.delete(topic);
      this.#ofOthers = Math.min(this.#ofOthers, floor);
    }
  }
}
