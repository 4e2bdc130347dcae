import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Logger } from "../logger.ts";
import { startPeriodic } from "../periodic.ts";
import { queryRows, type Queryable } from "./transaction.ts";

const REFRESH_MS = 5_000;
/** How long a start waits for the first measurement. */
const PATIENCE_MS = 1_000;
/** A difference that no comparison between processes minds; following it would only make the clock unsteady. */
const TOLERATED_MS = 20;
/** A correction that sets the clock back by less lets it stand still instead. */
const STANDSTILL_MS = 1_000;

const SHOWN = "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms";

/**
 * A clock that follows another one by measured offsets, and runs evenly between them, whatever happens to the system's.
 * Shows the system's time until the first.
 */
export class FollowingClock implements Clock {
  readonly #steadyMs: () => number;
  /** From the steady clock to the time. */
  #offsetMs: number;
  #lastMs = -Infinity;

  constructor(steadyMs: () => number = () => performance.now(), systemMs: number = Date.now()) {
    this.#steadyMs = steadyMs;
    this.#offsetMs = systemMs - steadyMs();
  }

  now(): Date {
    const ms = Math.trunc(this.#steadyMs() + this.#offsetMs);
    if (ms >= this.#lastMs || this.#lastMs - ms > STANDSTILL_MS) this.#lastMs = ms;
    return new Date(this.#lastMs);
  }

  /** Asks the other clock; its answer is taken for the middle of the round trip, and only as far as that is certain. */
  async follow(ask: () => Promise<number>): Promise<void> {
    const sent = this.#steadyMs();
    const shown = await ask();
    const halfTrip = (this.#steadyMs() - sent) / 2;
    const offset = shown - (sent + halfTrip);
    const isDifferent = Math.abs(offset - this.#offsetMs) > Math.max(halfTrip, TOLERATED_MS);
    if (isDifferent) this.#offsetMs = offset;
  }
}

export interface DatabaseClock {
  readonly clock: Clock;
  stop(): Promise<void>;
}

/** Starts a clock that follows the database's: times that several processes compare, such as leases, come from one clock. */
export async function startDatabaseClock(db: Queryable, log: Logger): Promise<DatabaseClock> {
  const clock = new FollowingClock();
  const refresh = () => clock.follow(() => readTime(db));
  const first = refresh().catch((error: unknown) => {
    log.warn({ err: error }, "the database's clock is not known yet");
  });
  await Promise.race([first, pause(PATIENCE_MS, undefined, { ref: false })]);
  const refreshing = startPeriodic({
    name: "the database's clock",
    everyMs: REFRESH_MS,
    run: refresh,
    log,
  });
  return { clock, stop: () => refreshing.stop() };
}

async function readTime(db: Queryable): Promise<number> {
  const [shown] = await queryRows<{ ms: number }>(db, { text: SHOWN });
  return shown?.ms ?? NaN;
}
