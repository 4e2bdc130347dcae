import { describe, expect, it } from "@jest/globals";
import { createLogger } from "./logger.ts";
import { startPeriodic } from "./periodic.ts";

const log = createLogger("test", "silent");

describe("a periodic task", () => {
  it("runs at once, again after each pause and after a failure, and not after its stop", async () => {
    let turns = 0;
    let thrice: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => (thrice = resolve));
    const task = startPeriodic({
      name: "count",
      everyMs: 1,
      run: () => {
        turns += 1;
        if (turns === 3) thrice();
        return turns === 1 ? Promise.reject(new Error("first")) : Promise.resolve();
      },
      log,
    });
    expect(turns).toBe(1);
    await reached;
    await task.stop();
    expect(turns).toBe(3);
  });
});
