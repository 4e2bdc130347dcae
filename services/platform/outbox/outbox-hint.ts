import type { Pool } from "pg";

export const OUTBOX_CHANNEL = "outbox";

/** Tells the relay that there are rows, after their commit; a lost hint costs one poll interval and nothing else. */
export interface OutboxHint {
  poke(): void;
}

/** At most one NOTIFY runs at a time; what is committed meanwhile is covered by the one after it. */
export function createOutboxHint(pool: Pool): OutboxHint {
  let running = false;
  let again = false;
  const notify = (): void => {
    running = true;
    pool
      .query(`notify ${OUTBOX_CHANNEL}`)
      .catch(() => undefined) // the relay's poll finds the rows
      .finally(() => {
        running = false;
        if (!again) return;
        again = false;
        notify();
      });
  };
  return {
    poke(): void {
      if (running) again = true;
      else notify();
    },
  };
}
