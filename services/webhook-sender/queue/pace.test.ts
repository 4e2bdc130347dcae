import { describe, expect, it } from "@jest/globals";
import { Pace } from "./pace.ts";

describe("a pace", () => {
  it("does not limit an endpoint without a rate", () => {
    expect(new Pace().room(0)).toBe(Infinity);
  });

  it("counts the start that revealed the rate, and spaces the following starts", () => {
    const pace = new Pace();
    pace.setRate(20);
    expect(pace.room(0)).toBe(0);
    expect(pace.waitMs(0)).toBeNull();
    const starts = pace.reservation(100);
    expect(starts).toEqual({ count: 3, stepMs: 52.5 });
    pace.grant(starts, 10);
    expect(pace.waitMs(0)).toBe(62.5);
    expect([pace.room(62), pace.room(63)]).toEqual([0, 1]);
    pace.take(63);
    expect(pace.room(64)).toBe(0);
    expect(pace.waitMs(64)).toBe(51);
    expect(pace.reservation(1).count).toBe(1);
  });

  it("moves the slots after a late start, including those reserved later", () => {
    const pace = new Pace();
    pace.setRate(20);
    pace.grant(pace.reservation(3), -52.5);
    expect(pace.room(45)).toBe(1);
    pace.take(45); // due at 0
    expect(pace.waitMs(45)).toBe(52.5 + 25 - 45);
    pace.take(77.5);
    pace.grant({ count: 1, stepMs: 52.5 }, 80);
    expect(pace.waitMs(77.5)).toBe(52.5);
  });

  it("drops slots that were not used in time", () => {
    const pace = new Pace();
    pace.setRate(1_000);
    pace.grant(pace.reservation(1_000), 0);
    expect(pace.room(50)).toBeLessThanOrEqual(20);
    expect(pace.room(10_000)).toBe(0);
    expect(pace.waitMs(10_000)).toBeNull();
  });

  it("forgets its slots when the rate changes", () => {
    const pace = new Pace();
    pace.setRate(1_000);
    pace.grant(pace.reservation(1), 0);
    pace.setRate(1);
    expect(pace.room(5)).toBe(0);
    pace.setRate(null);
    expect(pace.room(5)).toBe(Infinity);
  });
});
