import { describe, expect, it } from "@jest/globals";
import { WakeUp } from "./wake-up.ts";

describe("a wake-up", () => {
  it("ends the wait when it is called", async () => {
    const wakeUp = new WakeUp();
    const waiting = wakeUp.wait(60_000);
    wakeUp.call();
    expect(await waiting).toBe(true);
  });

  it("remembers one call made while nothing waited", async () => {
    const wakeUp = new WakeUp();
    wakeUp.call();
    wakeUp.call();
    expect(await wakeUp.wait(60_000)).toBe(true);
    expect(await wakeUp.wait(1)).toBe(false);
  });
});
