import { describe, expect, it, jest } from "@jest/globals";
import { createLogger } from "./logger.ts";
import { startPeriodic } from "./periodic.ts";

const log = createLogger("test", "silent");

describe("a periodic task", () => {
  it("runs at once, again after each pause and after a failure, and not after its stop", async () => {
    let runs = 0;
    let thrice: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (thrice = resolve));
    const task = startPeriodic({
      name: "count",
      everyMs: 1,
      run: () => {
        runs += 1;
        if (runs === 3) thrice();
        return runs === 1 ? Promise.reject(new Error("first")) : Promise.resolve();
      },
      log,
    });
    expect(runs).toBe(1);
    await reached;
    await task.stop();
    expect(runs).toBe(3);
  });

  it("asks after each run how long it may pause", async () => {
    jest.useFakeTimers();
    try {
      let runs = 0;
      const run = (): Promise<void> => {
        runs += 1;
        return Promise.resolve();
      };
      const everyMs = (): number => (runs < 2 ? 100 : 1_000);
      const task = startPeriodic({ name: "count", everyMs, run, log });
      await jest.advanceTimersByTimeAsync(100);
      expect(runs).toBe(2);
      await jest.advanceTimersByTimeAsync(999);
      expect(runs).toBe(2);
      await jest.advanceTimersByTimeAsync(1);
      expect(runs).toBe(3);
      await task.stop();
    } finally {
      jest.useRealTimers();
    }
  });
});
