import type { Clock } from "../../platform/clock.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import { NewHints } from "./new-hints.ts";
import { readRecentChanges } from "./store/recent-changes.ts";

const POLL_MS = 1_000;
/** How late a transaction may commit after the instants in its rows. */
const OVERLAP_S = 10;
const MOST = 1_000;

export interface ChangeWatchOptions {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  /** Runs after a look that found changes, before they are sent. */
  readonly onChange?: () => void;
}

/** Receives the hints of one look. */
export type Listener = (frames: readonly string[]) => void;

/** One query a second for all listeners of the process, and none while there are none. */
export class ChangeWatch {
  readonly #options: ChangeWatchOptions;
  readonly #listeners = new Set<Listener>();
  #polling: Periodic | null = null;

  constructor(options: ChangeWatchOptions) {
    this.#options = options;
  }

  /** Returns how to stop listening. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#polling ??= this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      void this.#polling?.stop();
      this.#polling = null;
    };
  }

  #start(): Periodic {
    const { db, clock, log, onChange } = this.#options;
    const hints = new NewHints();
    let since = new Date(clock.now().getTime() - POLL_MS);
    const run = async (): Promise<void> => {
      const now = clock.now();
      const created_after = new Date(now.getTime() - OVERLAP_S * 1_000);
      const { above } = idRange(
        { direction: "asc", cursorId: null, fetch: MOST },
        { created_after },
      );
      const span = { since, now, overlapSeconds: OVERLAP_S, entriesAbove: above, most: MOST };
      const frames = hints.framesOf(await readRecentChanges(db, span), now);
      since = now;
      if (frames.length === 0) return;
      onChange?.();
      for (const listener of this.#listeners) listener(frames);
    };
    return startPeriodic({ name: "poll of the desk's changes", everyMs: POLL_MS, run, log });
  }
}
