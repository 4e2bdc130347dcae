import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic } from "../../platform/periodic.ts";
import { startRateLimits, type RateLimits } from "../../platform/rate-limit/start-rate-limits.ts";
import { forgetSessions } from "./store/sessions.ts";

const FORGET_EVERY_MS = 600_000;
const FORGET_BATCH = 1_000;
/** Failures to sign in, of an address (docs/contract/desk-api.md, POST /session {token}). */
const FAILURES_PER_MINUTE = 10;

export interface Sessions {
  /** Counts a failure to sign in. @throws `rate_limited` in place of the 401 */
  readonly failures: Pick<RateLimits, "refused">;
  stop(): Promise<void>;
}

interface Options {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
}

/** What sessions need beside requests: the limit of failures, and the deletion of those that have ended. */
export function startSessions({ db, clock, log }: Options): Sessions {
  const failures = startRateLimits({
    ...{ db, clock, log },
    requests: { perMinute: 0, burst: 0 },
    failuresPerMinute: FAILURES_PER_MINUTE,
    failuresAt: "desk-address",
  });
  const forgetting = startPeriodic({
    name: "ended sessions",
    everyMs: FORGET_EVERY_MS,
    run: async () => {
      while ((await forgetSessions(db, clock.now(), FORGET_BATCH)) === FORGET_BATCH);
    },
    log,
  });
  return {
    failures,
    stop: async () => {
      await Promise.all([failures.stop(), forgetting.stop()]);
    },
  };
}
