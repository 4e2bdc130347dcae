import { describe, expect, it } from "@jest/globals";
import { verdictOf, type Figure } from "../figure.ts";
import type { BurstFigures, Measured, SoakStretch, SystemName } from "./system.ts";
import { burstFigures, soakFigures, steadyFigures } from "./webhook-figures.ts";

const FLOOR = { perSecond: 20_000, cpuMsPerDelivery: 0.05 };

function burst(perSecond: number): BurstFigures {
  const cpuMsByProcess = new Map([
    ["kafka", 0.1],
    ["postgres", 0.3],
  ]);
  const memoryMibByProcess = new Map([
    ["api", 100],
    ["kafka", 700],
  ]);
  const used = { cpuMsPerDelivery: 0.4, cpuMsByProcess, memoryMibByProcess };
  return { perSecond, ...used, bytesPerDelivery: 2_000 };
}

function figures(rates: Readonly<Partial<Record<SystemName, number>>>): Figure[] {
  const names: readonly SystemName[] = ["ours", "graphile-worker", "bullmq", "bullmq, flushed"];
  const measured = names.flatMap((name): [SystemName, Measured][] => {
    const rate = rates[name];
    return rate === undefined ? [] : [[name, { "burst-1": burst(rate), "burst-10": burst(rate) }]];
  });
  return burstFigures(new Map(measured), { one: FLOOR, ten: FLOOR });
}

const named = (all: readonly Figure[], name: string): Figure | undefined =>
  all.find((figure) => figure.name === name);

describe("the figures of bursts", () => {
  const all = figures({
    ours: 3_000,
    "graphile-worker": 1_400,
    "bullmq, flushed": 1_500,
    bullmq: 5_000,
  });

  it("compare one endpoint with the fastest queue on Postgres, with each peer below", () => {
    const one = named(all, "deliveries/s in a burst, 1 endpoint");
    expect(one?.peer).toEqual({ what: "graphile-worker", measured: 1_400 });
    expect(one && verdictOf(one)).toBe("goal met");
    const below = all.slice(1, 4).map(({ name, measured }) => [name, measured]);
    expect(below).toEqual([
      ["  graphile-worker", 1_400],
      ["  bullmq", 5_000],
      ["  bullmq, flushed", 1_500],
    ]);
  });

  it("compare ten endpoints with the fastest of all peers", () => {
    const ten = named(all, "deliveries/s in a burst, 10 endpoints");
    expect(ten?.peer).toEqual({ what: "bullmq", measured: 5_000 });
    expect(ten && verdictOf(ten)).toBe("MISSED");
  });

  it("judge no rate where no peer could be measured", () => {
    const one = named(figures({ ours: 3_000 }), "deliveries/s in a burst, 1 endpoint");
    expect(one && verdictOf(one)).toBe("not compared");
  });

  it.each([
    ["CPU by process in a burst, 1 endpoint", 0.4, ["  postgres", 0.3], ["  kafka", 0.1]],
    ["memory by process after the bursts", 800, ["  kafka", 700], ["  api", 100]],
  ])(
    "have the share of each process, largest first, below their sum: %s",
    (head, sum, ...below) => {
      const at = all.findIndex(({ name }) => name === head);
      const shown = all.slice(at, at + 3).map(({ name, measured }) => [name, measured]);
      expect(shown).toEqual([[head, sum], ...below]);
    },
  );

  it("judge the memory of all processes together", () => {
    const memory = named(all, "memory after the bursts");
    expect(memory?.measured).toBe(800);
    expect(memory && verdictOf(memory)).toBe("goal met");
  });

  it("cannot be made where ours was not measured", () => {
    expect(() => figures({ bullmq: 1 })).toThrow("was not measured");
  });
});

describe("the figures of steady load", () => {
  const found = { p99Ms: 9, cpuMsPerDelivery: 2, transactionsPerEvent: 2, bytesPerDelivery: 2_000 };
  const steady = (p50Ms: number, perSecond: number) => ({
    ...found,
    p50Ms,
    perSecond,
    arrivedPercent: 100,
    cpuMsByProcess: new Map([["api", 2]]),
  });
  const all = steadyFigures(
    new Map<SystemName, Measured>([
      [
        "ours",
        { "steady-50": steady(8, 50), "steady-200": steady(9, 199), "steady-half": steady(3, 400) },
      ],
      ["graphile-worker", { "steady-50": steady(2, 50), "steady-200": steady(2, 200) }],
      ["pg-boss", { "steady-50": steady(50, 50) }],
    ]),
    450,
  );

  it("judge how late a delivery is, and its CPU, by the lightest of the queues on Postgres", () => {
    const judged = all.flatMap((figure) => {
      const verdict = verdictOf(figure);
      return verdict === null ? [] : [[figure.name, verdict]];
    });
    const named = (rate: string, rows: readonly string[][]) =>
      rows.map(([label, verdict]) => [`steady ${rate} events/s, 1 endpoint, ${label}`, verdict]);
    const arrived = ["arrived within a minute", "met"];
    expect(judged).toEqual([
      ...named("50", [["p50", "met"], ["p99", "met"], ["CPU per delivery", "met"], arrived]),
      ...named("200", [["p50", "MISSED"], ["p99", "met"], ["CPU per delivery", "met"], arrived]),
      ...named("450", [["p50", "not compared"], arrived]),
    ]);
  });

  it("report the rate that each producer really reached", () => {
    const at = all.findIndex(({ name }) =>
      name.endsWith("450 events/s, 1 endpoint, rate that the producer kept"),
    );
    expect(all[at]?.measured).toBe(400);
  });
});

const STRETCH: SoakStretch = {
  p50Ms: 4,
  p99Ms: 10,
  missing: 0,
  bytesPerOrder: 9_000,
  deadRowsPercent: 1,
  memoryMibByProcess: new Map([
    ["api", 100],
    ["kafka", 300],
  ]),
  descriptors: 700,
};

function verdicts(...stretches: readonly SoakStretch[]): Record<string, string> {
  const results = new Map([["ours", { soak: { perSecond: 200, stretches } }] as const]);
  return Object.fromEntries(
    soakFigures(results).flatMap((figure) => {
      const verdict = verdictOf(figure);
      return verdict === null ? [] : [[figure.name.trim(), verdict]];
    }),
  );
}

describe("the figures of a soak", () => {
  it("are met where the end is as good as the beginning", () => {
    const found = verdicts(STRETCH, { ...STRETCH, p99Ms: 99 }, STRETCH);
    expect(new Set(Object.values(found))).toEqual(new Set(["met"]));
    expect(Object.keys(found)).toHaveLength(6);
  });

  it.each([
    ["answer → receipt at the end, p99", { p99Ms: 11.1 }],
    ["memory at the end", { memoryMibByProcess: new Map([["kafka", 441]]) }],
    ["open files and sockets at the end", { descriptors: 771 }],
    ["growth of the database per order, at the end", { bytesPerOrder: 9_901 }],
  ])("miss where the end is more than a tenth worse: %s", (name, worse) => {
    const found = verdicts(STRETCH, { ...STRETCH, ...worse });
    expect(found[name]).toBe("MISSED");
    expect(Object.values(found).filter((one) => one === "MISSED")).toHaveLength(1);
  });

  it("miss where a webhook did not arrive, in whichever stretch", () => {
    const found = verdicts(STRETCH, { ...STRETCH, missing: 1 }, STRETCH);
    expect(found["webhooks that did not arrive"]).toBe("MISSED");
  });
});
