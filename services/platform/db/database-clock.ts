import { once } from "node:events";
import type { Clock } from "../clock.ts";
import type { Logger } from "../logger.ts";
import { startPeriodic } from "../periodic.ts";
import { queryRows, type Queryable } from "./transaction.ts";

const REFRESH_MS = 5_000;
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

  /**
   * Asks the other clock, which was read somewhere within the round trip, and moves no further than that makes certain: a
   * slow answer teaches little, and spoils nothing that a quick one taught.
   */
  async follow(ask: () => Promise<number>): Promise<void> {
    const sent = this.#steadyMs();
    const shown = await ask();
    const least = shown - this.#steadyMs();
    const most = shown - sent;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs, least), most);
  }
}

export interface DatabaseClock {
  readonly clock: Clock;
  stop(): Promise<void>;
}

interface DatabaseClockOptions {
  readonly log: Logger;
  /** Ends the wait for the first measurement. */
  readonly signal: AbortSignal;
  readonly everyMs?: number;
}

/**
 * Starts a clock that follows the database's: times that several processes compare, such as leases, come from one clock.
 * Waits for the first measurement, because with the system's time another process's lease may seem to have ended.
 */
export async function startDatabaseClock(
  db: Queryable,
  { log, signal, everyMs = REFRESH_MS }: DatabaseClockOptions,
): Promise<DatabaseClock> {
  const clock = new FollowingClock();
  let whenMeasured = (): void => undefined;
  const measured = new Promise<void>((resolve) => {
    whenMeasured = resolve;
  });
  const refreshing = startPeriodic({
    name: "the database's clock",
    everyMs,
    run: () => clock.follow(() => readTime(db)).then(whenMeasured),
    log,
  });
  if (!signal.aborted) await Promise.race([measured, once(signal, "abort")]);
  if (signal.aborted) {
    // A query without an answer must not hold up the stop.
    void refreshing.stop();
    signal.throwIfAborted();
  }
  return { clock, stop: () => refreshing.stop() };
}

/** What the database's clock shows, in epoch milliseconds. */
export async function readTime(db: Queryable): Promise<number> {
  const [shown] = await queryRows<{ ms: number }>(db, { text: SHOWN });
  return shown?.ms ?? NaN;
}
