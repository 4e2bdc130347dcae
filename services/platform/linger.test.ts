import { describe, expect, it } from "@jest/globals";
import { Linger } from "./linger.ts";

/** The wait after two seconds of rows at a steady rate. */
function waitAt(perSecond: number): number {
  const linger = new Linger(40);
  const everyMs = 1_000 / perSecond;
  for (let ms = 0; ms < 2_000; ms += everyMs) linger.found(1, ms);
  return linger.msAt(2_000);
}

describe("the wait for more to batch", () => {
  it("is none at first and at 50 rows a second", () => {
    expect(new Linger(40).msAt(0)).toBe(0);
    expect(waitAt(50)).toBe(0);
  });

  it("grows with the rate, up to the longest", () => {
    expect(waitAt(150)).toBeGreaterThan(10);
    expect(waitAt(150)).toBeLessThan(30);
    expect(waitAt(300)).toBe(40);
  });

  it("is shorter where a batch comes together sooner", () => {
    expect(waitAt(1_600)).toBeCloseTo(19, 0);
    expect(waitAt(8_000)).toBeLessThan(4);
  });

  it("ends within a second after a burst", () => {
    const linger = new Linger(40);
    linger.found(1_000, 0);
    expect(linger.msAt(100)).toBeGreaterThan(1);
    expect(linger.msAt(1_100)).toBe(0);
  });
});
