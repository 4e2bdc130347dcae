import type { JoiningPool } from "../db/joining-pool.ts";

export const OUTBOX_CHANNEL = "outbox";

/** The least time between notifications, at first and under load, when the relay is awake and lets rows come together. */
const SPACING_MS = 5;
const BUSY_SPACING_MS = 20;

/** Notifies the relay of new rows, after their commit; a lost notification costs only one poll interval. */
export interface OutboxHint {
  notify(): void;
}

/** Sends one NOTIFY at once, and one for everything committed while it runs and shortly after. */
export function createOutboxHint(pool: JoiningPool): OutboxHint {
  let running = false;
  let again = false;
  let spacingMs = SPACING_MS;
  const rest = (): void => {
    running = false;
    spacingMs = again ? Math.min(2 * spacingMs, BUSY_SPACING_MS) : SPACING_MS;
    if (!again) return;
    again = false;
    notify();
  };
  const notify = (): void => {
    running = true;
    pool
      .query(`notify ${OUTBOX_CHANNEL}`)
      .catch(() => undefined) // the relay's poll finds the rows
      .finally(() => setTimeout(rest, spacingMs));
  };
  return {
    notify(): void {
      // The owner of the transaction notifies after its commit; a NOTIFY inside it would serialize all commits.
      if (pool.isJoined) return;
      if (running) again = true;
      else notify();
    },
  };
}
