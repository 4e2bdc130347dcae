import { describe, expect, it } from "@jest/globals";
import { createLogger } from "../logger.ts";
import { FollowingClock, startDatabaseClock } from "./database-clock.ts";
import type { Queryable } from "./transaction.ts";

const SYSTEM_MS = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

/** A clock over a steady time that the test moves. */
function openClock() {
  const time = { ms: 5_000 };
  const clock = new FollowingClock(() => time.ms, SYSTEM_MS);
  const shown = (): number => clock.now().getTime() - SYSTEM_MS;
  /** The other clock shows `ms` after the system's time, read after this part of a round trip. */
  const follow = (ms: number, tripMs = 0, readAfter = 0.5) =>
    clock.follow(() => {
      const at = SYSTEM_MS + time.ms - 5_000 + tripMs * readAfter + ms;
      time.ms += tripMs;
      return Promise.resolve(at);
    });
  return { time, shown, follow };
}

describe("FollowingClock", () => {
  it("runs evenly from the system's time until it is given another", () => {
    const { time, shown } = openClock();
    expect(shown()).toBe(0);
    time.ms += 250.9;
    expect(shown()).toBe(250);
  });

  it.each([HOUR_MS, -10 * 60_000])("follows a clock that differs by %d ms", async (difference) => {
    const { time, shown, follow } = openClock();
    shown();
    await follow(difference);
    expect(shown()).toBe(difference);
    time.ms += 100;
    expect(shown()).toBe(difference + 100);
  });

  it.each([
    [HOUR_MS, -20],
    [-HOUR_MS, 20],
  ])("at first is off by half a round trip at most: %d ms by %d", async (difference, off) => {
    const { time, shown, follow } = openClock();
    shown();
    await follow(difference, 40);
    expect(shown()).toBe(difference + 40 + off);
    await follow(difference);
    time.ms += 20;
    expect(shown()).toBe(difference + 60);
  });

  it("does not follow what the round trip may explain", async () => {
    const { shown, follow } = openClock();
    await follow(900, 2_000);
    expect(shown()).toBe(2_000);
  });

  it.each([0, 1])(
    "is not led astray by an answer that took long, read after %d of it",
    async (readAfter) => {
      const { time, shown, follow } = openClock();
      await follow(15, 2_000, readAfter);
      expect(Math.abs(shown() - 2_000)).toBeLessThanOrEqual(15);
      await follow(15);
      time.ms += 15;
      expect(shown()).toBe(2_030);
    },
  );

  it("stands still rather than going back a little", async () => {
    const { time, shown, follow } = openClock();
    expect(shown()).toBe(0);
    await follow(-300);
    expect(shown()).toBe(0);
    time.ms += 200;
    expect(shown()).toBe(0);
    time.ms += 200;
    expect(shown()).toBe(100);
  });
});

/** A database that is away for the first questions, and whose clock is an hour ahead. */
function openDatabase({ awayFor = 0 } = {}) {
  let asked = 0;
  const query = (): Promise<unknown> => {
    asked += 1;
    if (asked <= awayFor) return Promise.reject(new Error("ECONNREFUSED"));
    return Promise.resolve({ rows: [{ ms: Date.now() + HOUR_MS }] });
  };
  return { query } as unknown as Queryable;
}

describe("startDatabaseClock", () => {
  const log = createLogger("test", "silent");

  it("shows no time but the database's, also where that is away at the start", async () => {
    const { signal } = new AbortController();
    const time = await startDatabaseClock(openDatabase({ awayFor: 3 }), {
      log,
      signal,
      everyMs: 1,
    });
    expect(time.clock.now().getTime()).toBeGreaterThan(Date.now() + HOUR_MS - 1_000);
    await time.stop();
  });

  it("ends its wait with a stop", async () => {
    const stop = new AbortController();
    const away = openDatabase({ awayFor: Infinity });
    const starting = startDatabaseClock(away, { log, signal: stop.signal, everyMs: 1 });
    stop.abort(new Error("stopped"));
    await expect(starting).rejects.toThrow("stopped");
  });
});
