import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { AppError } from "../errors.ts";
import { applyEitherWay, leavingHalf } from "./apply-together.ts";

const LOCK_TIMEOUT_MS = 5_000;

const failure = (code: string): AppError =>
  new AppError("database_unavailable", "It is held.", {
    retryable: true,
    cause: Object.assign(new Error("planted"), { code }),
  });

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

const waitForLock = (): Promise<void> =>
  new Promise((_resolve, reject) => {
    setTimeout(() => reject(failure("55P03")), LOCK_TIMEOUT_MS);
  });

describe("work that may wait for locks", () => {
  it.each([
    [1, 1],
    [2, 1],
    [5, 2],
    [10, 5],
  ])("holds of %d connections at most %d", async (connections, most) => {
    const runApart = leavingHalf(connections);
    let running = 0;
    const all = Array.from({ length: 10 }, () =>
      runApart(() => {
        running += 1;
        return waitForLock().finally(() => (running -= 1));
      }).catch(() => undefined),
    );
    await jest.advanceTimersByTimeAsync(LOCK_TIMEOUT_MS - 1);
    expect(running).toBe(most);
    await jest.advanceTimersByTimeAsync(LOCK_TIMEOUT_MS);
    expect(running).toBe(most);
    await jest.advanceTimersByTimeAsync(60_000);
    await Promise.all(all);
    expect(running).toBe(0);
  });

  it("fails as a transient fault where it gets no turn", async () => {
    const runApart = leavingHalf(2);
    const endless = new Promise<void>(() => undefined);
    void runApart(() => endless);
    const late = expect(runApart(() => Promise.resolve())).rejects.toMatchObject({
      retryable: true,
    });
    await jest.advanceTimersByTimeAsync(10_000);
    await late;
  });
});

describe("a partition whose lock was not given", () => {
  const batch = (partition: number) => [[], { topic: "orders", partition, nextOffset: 1 }] as const;

  it("is applied in the other way until it has been applied, and no other partition is", async () => {
    const ways: string[] = [];
    const failures: (AppError | null)[] = [];
    const way = (name: string) => (): Promise<void> => {
      ways.push(name);
      const next = failures.shift() ?? null;
      return next === null ? Promise.resolve() : Promise.reject(next);
    };
    const apply = applyEitherWay({ usual: way("usual"), afterLock: way("after lock") });
    failures.push(failure("08006"), failure("55P03"), failure("08006"));
    for (let n = 0; n < 3; n += 1) await expect(apply(...batch(0))).rejects.toThrow();
    await apply(...batch(1));
    await apply(...batch(0));
    await apply(...batch(0));
    expect(ways).toEqual(["usual", "usual", "after lock", "usual", "after lock", "usual"]);
  });
});
