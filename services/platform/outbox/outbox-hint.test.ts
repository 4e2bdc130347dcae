import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { JoiningPool } from "../db/joining-pool.ts";
import { createOutboxHint } from "./outbox-hint.ts";

/** A hint, and when it has sent a notification, in milliseconds. */
function setUp(isJoined = false) {
  const sentMs: number[] = [];
  const query = (): Promise<void> => {
    sentMs.push(performance.now());
    return Promise.resolve();
  };
  return { hint: createOutboxHint({ isJoined, query } as unknown as JoiningPool), sentMs };
}

type Hint = ReturnType<typeof createOutboxHint>;

/** Rows that are committed at a steady rate for a second. */
async function commit(hint: Hint, perSecond: number): Promise<void> {
  for (let n = 0; n < perSecond; n += 1) {
    hint.notify();
    await jest.advanceTimersByTimeAsync(1_000 / perSecond);
  }
}

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});

afterEach(() => {
  jest.useRealTimers();
});

describe("the relay's notification of new rows", () => {
  it("is sent for each at 50 a second, as soon as each is committed, after a busy moment too", async () => {
    const { hint, sentMs } = setUp();
    for (let n = 0; n < 20; n += 1) hint.notify();
    await jest.advanceTimersByTimeAsync(500);
    await commit(hint, 50);
    const quiet = sentMs.filter((at) => at >= 500);
    expect(quiet).toEqual(Array.from({ length: 50 }, (_, n) => 500 + 20 * n));
  });

  it("is sent for some together under load, and once more after the last", async () => {
    const { hint, sentMs } = setUp();
    await commit(hint, 500);
    const busy = sentMs.filter((at) => at >= 500);
    expect(busy.length).toBeGreaterThan(5);
    expect(busy.length).toBeLessThanOrEqual(10);
    await jest.advanceTimersByTimeAsync(100);
    expect(sentMs.at(-1)).toBeGreaterThanOrEqual(998);
  });

  it("is left to the owner of the transaction within one", () => {
    const { hint, sentMs } = setUp(true);
    hint.notify();
    expect(sentMs).toEqual([]);
  });
});
