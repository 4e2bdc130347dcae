import { describe, expect, it } from "@jest/globals";
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
});
