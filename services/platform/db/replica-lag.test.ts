import { describe, expect, it } from "@jest/globals";
import { ReplicaLag } from "./replica-lag.ts";

describe("ReplicaLag", () => {
  it("is unknown until the replica has reached a position of the primary", () => {
    const lag = new ReplicaLag(10_000);
    expect(lag.isWithinLimitAt(0)).toBe(false);
    lag.primaryAt(500, 1_000);
    lag.replicaAt(499);
    expect(lag.msAt(1_000)).toBe(Infinity);
    lag.replicaAt(500);
    expect(lag.msAt(1_250)).toBe(250);
  });

  it("counts from the newest position that the replica has reached", () => {
    const lag = new ReplicaLag(10_000);
    for (const [position, at] of [
      [100, 1_000],
      [200, 2_000],
      [300, 3_000],
    ] as const)
      lag.primaryAt(position, at);
    lag.replicaAt(250);
    expect(lag.msAt(3_000)).toBe(1_000);
    lag.replicaAt(900);
    expect(lag.msAt(3_000)).toBe(0);
  });

  it("grows while nothing is heard of either, also where the primary writes nothing", () => {
    const lag = new ReplicaLag(10_000);
    lag.primaryAt(100, 1_000);
    lag.replicaAt(100);
    expect(lag.isWithinLimitAt(10_999)).toBe(true);
    expect(lag.isWithinLimitAt(11_000)).toBe(false);
    lag.primaryAt(100, 12_000);
    lag.replicaAt(100);
    expect(lag.isWithinLimitAt(12_000)).toBe(true);
  });

  it("stays beyond the limit while the replica reaches only what is older than that", () => {
    const lag = new ReplicaLag(2_000);
    for (let second = 0; second < 100; second += 1) {
      lag.primaryAt(second * 10, second * 1_000);
      lag.replicaAt((second - 5) * 10);
      expect(lag.isWithinLimitAt(second * 1_000)).toBe(false);
    }
  });
});
