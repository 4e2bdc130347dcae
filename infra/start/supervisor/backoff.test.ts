import { describe, expect, it } from "@jest/globals";
import { Backoff } from "./backoff.ts";

describe("Backoff", () => {
  it("doubles from 100 ms to 5 s", () => {
    const backoff = new Backoff();
    const delays = Array.from({ length: 8 }, () => backoff.delayAfter(0));
    expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  it("starts over after 30 s of health, not before", () => {
    const backoff = new Backoff();
    backoff.delayAfter(0);
    expect(backoff.delayAfter(29_999)).toBe(200);
    expect(backoff.delayAfter(30_000)).toBe(100);
  });
});
