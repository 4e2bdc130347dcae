import { describe, expect, it } from "@jest/globals";
import type { Figure } from "./figure.ts";
import { recordRuns, withKeys } from "./history.ts";

const reported = { kind: "reported" } as const;

function run(rate: number, p99: number): Figure[] {
  return [
    { name: "rate", measured: rate, unit: "/s", target: reported },
    { name: "  p99", measured: p99, unit: "ms", target: reported },
    { name: "other", measured: 1, unit: "/s", target: reported },
    { name: "  p99", measured: p99 * 10, unit: "ms", target: reported },
  ];
}

describe("figures of several runs", () => {
  it("are the middle one each, with the least and the most", () => {
    const recorded = recordRuns([run(30, 1), run(10, 3), run(20, 2)]);
    expect(
      recorded.map(({ name, measured, least, most }) => [name, measured, least, most]),
    ).toEqual([
      ["rate", 20, 10, 30],
      ["  p99", 2, 1, 3],
      ["other", 1, 1, 1],
      ["  p99", 20, 10, 30],
    ]);
  });

  it("are chosen by the ratio of a run, with that run's own floor", () => {
    const target = { kind: "at_least_of_floor", accept: 0.5 } as const;
    const beside = (measured: number, floor: number): Figure[] => [
      { name: "rate", measured, unit: "/s", target, floor: { what: "bare", measured: floor } },
    ];
    const [figure] = recordRuns([beside(100, 100), beside(90, 300), beside(80, 160)]);
    expect(figure).toMatchObject({ measured: 80, floor: { measured: 160 }, least: 80, most: 100 });
  });

  it("have keys that tell names apart that repeat below others", () => {
    expect(withKeys(run(1, 1)).map(({ key }) => key)).toEqual([
      "rate",
      "rate: p99",
      "other",
      "other: p99",
    ]);
  });

  it("keep what only a later run left out", () => {
    expect(recordRuns([run(1, 1), run(2, 2).slice(0, 1)])).toHaveLength(4);
    expect(recordRuns([])).toEqual([]);
  });
});
