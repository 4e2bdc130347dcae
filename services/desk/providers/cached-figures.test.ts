import { describe, expect, it } from "@jest/globals";
import { cachedFor } from "./routes.ts";

describe("a cached read", () => {
  it("is shared until its time is over, and not kept where it fails", async () => {
    let now = 0;
    let reads = 0;
    let fails = false;
    const clock = { now: () => new Date(now) };
    const read = cachedFor(2_000, clock, () => {
      reads += 1;
      return fails ? Promise.reject(new Error("away")) : Promise.resolve(reads);
    });
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    now = 1_999;
    expect(await read()).toBe(1);
    now = 2_000;
    fails = true;
    await expect(read()).rejects.toThrow("away");
    fails = false;
    expect(await read()).toBe(3);
  });
});
