import { describe, expect, it } from "@jest/globals";
import { verdictOf } from "../figure.ts";
import type { SoakStretch } from "./measured.ts";
import { soakFigures } from "./soak-figures.ts";

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
