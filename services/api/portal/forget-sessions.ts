import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import { forgetCookies } from "./store/portal-cookies.ts";
import { forgetPortalSessions } from "./store/portal-sessions.ts";

const EVERY_MS = 3_600_000;
const RETAINED_MS = 30 * 86_400_000;
const BATCH = 1_000;

export interface ForgetOptions {
  readonly pool: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Deletes cookies that have expired, and sessions 30 days after they did. */
export function startForgettingSessions({ pool, clock, log }: ForgetOptions): Periodic {
  return startPeriodic({
    name: "expired portal sessions",
    everyMs: EVERY_MS,
    run: async () => {
      const now = clock.now();
      while ((await forgetCookies(pool, now, BATCH)) === BATCH);
      const before = new Date(now.getTime() - RETAINED_MS);
      while ((await forgetPortalSessions(pool, before, BATCH)) === BATCH);
    },
    log,
  });
}
