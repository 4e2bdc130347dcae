import { describe, expect, it } from "@jest/globals";
import type { BurstFigures, Measured } from "./measured.ts";
import { figuresTable } from "./report.ts";
import { ROWS, verdictOf, type Results } from "./report-rows.ts";
import type { SystemName } from "./system.ts";

const [RATE_TEN] = ROWS;

function burst(perSecond: number): BurstFigures {
  return { perSecond, cpuMsPerDelivery: 0.5, cpuMsByProcess: new Map(), memoryMib: 900 };
}

function results(rates: Readonly<Partial<Record<SystemName, number>>>): Results {
  const names: readonly SystemName[] = ["ours", "graphile-worker", "pg-boss", "bullmq"];
  const systems = new Map<SystemName, Measured>();
  for (const name of names) {
    const rate = rates[name];
    if (rate !== undefined) systems.set(name, { "burst-10": burst(rate) });
  }
  return { systems, floors: null };
}

function verdict(rates: Readonly<Partial<Record<SystemName, number>>>) {
  if (RATE_TEN === undefined) throw new TypeError("there is no row");
  return verdictOf(RATE_TEN, results(rates));
}

describe("the figures of the webhook benchmark", () => {
  it("are compared with an acceptance bound and a goal", () => {
    expect(verdict({ ours: 1_999 })).toEqual({ accept: false, goal: false });
    expect(verdict({ ours: 2_000 })).toEqual({ accept: true, goal: false });
    expect(verdict({ ours: 4_000, bullmq: 1 })).toEqual({ accept: true, goal: true });
  });

  it("miss the goal of a rate where a peer of the same run is ahead", () => {
    expect(verdict({ ours: 4_100, bullmq: 4_100 })?.goal).toBe(false);
    expect(verdict({ ours: 4_100, bullmq: 4_099, "pg-boss": 1 })?.goal).toBe(true);
  });

  it("do not reach a goal relative to peers where none was measured", () => {
    expect(verdict({ ours: 4_000 })).toEqual({ accept: true, goal: null });
    expect(verdict({ ours: 3_999 })).toEqual({ accept: true, goal: false });
  });

  it("are not judged where ours was not measured", () => {
    expect(verdict({ bullmq: 4_100 })).toBeNull();
  });

  it("mark a miss in capitals and show figures that were not measured", () => {
    const [, , row] = figuresTable(results({ ours: 2_500, bullmq: 2_700 })).split("\n");
    expect(row).toBe(
      "| deliveries/s, 10 endpoints per event | 2,500/s | ≥ 2,000: met | ≥ 4,000, ahead of peers: MISSED | – | – | 2,700 |  |",
    );
  });
});
