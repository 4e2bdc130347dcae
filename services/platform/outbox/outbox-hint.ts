import type { JoiningPool } from "../db/joining-pool.ts";

export const OUTBOX_CHANNEL = "outbox";

/** Hints under load come so far apart: the relay is awake then and looks by itself. */
const SPACING_MS = 5;

/** Tells the relay that there are rows, after their commit; a lost hint costs one poll interval and nothing else. */
export interface OutboxHint {
  notify(): void;
}

/** One NOTIFY at once, and one for all that is committed while it runs and for moments after. */
export function createOutboxHint(pool: JoiningPool): OutboxHint {
  let running = false;
  let again = false;
  const rest = (): void => {
    running = false;
    if (!again) return;
    again = false;
    notify();
  };
  const notify = (): void => {
    running = true;
    pool
      .query(`notify ${OUTBOX_CHANNEL}`)
      .catch(() => undefined) // the relay's poll finds the rows
      .finally(() => setTimeout(rest, SPACING_MS));
  };
  return {
    notify(): void {
      // Whoever runs the transaction notifies after its commit; a NOTIFY in it would hold up all others at theirs.
      if (pool.isJoined) return;
      if (running) again = true;
      else notify();
    },
  };
}
