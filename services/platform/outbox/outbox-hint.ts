import type { JoiningPool } from "../db/joining-pool.ts";
import { Linger } from "../linger.ts";

export const OUTBOX_CHANNEL = "outbox";

/** The least time between notifications, and under load, when the relay lets rows come together. */
const SPACING_MS = 5;
const BUSY_SPACING_MS = 100;

/** Notifies the relay of new rows, after their commit; a lost notification costs only one poll interval. */
export interface OutboxHint {
  notify(): void;
}

/** Sends one NOTIFY at once, and one for everything committed while it runs and shortly after. */
export function createOutboxHint(pool: JoiningPool): OutboxHint {
  let running = false;
  let again = false;
  const linger = new Linger(BUSY_SPACING_MS);
  const rest = (): void => {
    running = false;
    if (!again) return;
    again = false;
    notify();
  };
  const spacingMs = (): number => Math.max(SPACING_MS, linger.msAt(performance.now()));
  const notify = (): void => {
    running = true;
    pool
      .query(`notify ${OUTBOX_CHANNEL}`)
      .catch(() => undefined) // the relay's poll finds the rows
      .finally(() => setTimeout(rest, spacingMs()));
  };
  return {
    notify(): void {
      // The owner of the transaction notifies after its commit; a NOTIFY inside it would serialize all commits.
      if (pool.isJoined) return;
      linger.found(1, performance.now());
      if (running) again = true;
      else notify();
    },
  };
}
