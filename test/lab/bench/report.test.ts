import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { readHistory, type HistoryLine } from "./history.ts";
import { reportOf, withLastMeasured } from "./report.ts";

const FIRST = { name: "first", area: "API" } as const;
const SECOND = { name: "second", area: "Webhooks" } as const;

function line(bench: string, measured: number, foreign: number | null = 2): HistoryLine {
  const target = { kind: "at_least", accept: 2 } as const;
  const figure = { name: "rate", measured, unit: "/s", target, least: 1, most: 9 };
  return {
    bench,
    at: "2026-11-23",
    commit: "abc1234",
    runs: 3,
    node: "20.20.2",
    cores: 2,
    foreign_percent: foreign,
    figures: [figure, { ...figure, name: "  p99", least: measured, most: measured }],
  };
}

describe("the report of the benchmarks", () => {
  it("has a section for each area, with its benchmarks and the conditions of each", () => {
    const report = reportOf([line("second", 2), line("first", 1)], [FIRST, SECOND]);
    expect(report.match(/^##+ .*$/gm)).toEqual([
      "## API",
      "### first",
      "## Webhooks",
      "### second",
    ]);
    expect(report).toContain(
      "2026-11-23, commit abc1234; 3 runs; 2 cores, shared by all processes; Node 20.20.2; other programs used 2 % of a core.",
    );
    expect(report).toContain("| rate | 1 /s | 1 to 9 |  |  |  | ≥ 2 | MISSED |");
    expect(report).toContain("| · p99 | 2 /s |  |  |  |  | ≥ 2 | met |");
  });

  it("tells how long each took, and all that are run together", () => {
    const [first, second] = [line("first", 1), line("second", 1)];
    const [hour, alone] = [
      { ...second, seconds: 3_600 },
      { ...SECOND, isNamedOnly: true as const },
    ];
    const report = reportOf([{ ...first, seconds: 90 }, hour], [FIRST, alone]);
    expect(report).toContain("3 runs in 90 s; 2 cores");
    expect(report).toContain("Benchmarks with a recorded time: 1; together 2 min.");
    expect(reportOf([first], [FIRST])).not.toContain("recorded time");
  });

  it("shows the newest line of each benchmark, and names those that never ran", () => {
    const report = reportOf([line("first", 1), line("first", 3)], [FIRST, SECOND]);
    expect(report).toContain("| rate | 3 /s |");
    expect(report).not.toContain("| rate | 1 /s |");
    expect(report).toContain("### second\n\nNot measured yet.");
  });

  it("says where other programs disturbed a run", () => {
    expect(reportOf([line("first", 1, 11)], [FIRST])).toContain("11 % of a core: DISTURBED.");
    expect(reportOf([line("first", 1, 10)], [FIRST])).not.toContain("DISTURBED");
    expect(reportOf([line("first", 1, null)], [FIRST])).toContain("was not recorded");
  });

  it("can be made from the history that is kept", () => {
    const history = readHistory(projectRoot);
    expect(history.length).toBeGreaterThan(0);
    const benches = history.map(({ bench: name }) => ({ name, area: "API" }) as const);
    expect(reportOf(history, benches)).toContain("### orders");
  });
});

describe("the documentation's page about benchmarks", () => {
  it("ends with the newest figures that have a target", () => {
    const page = "# Benchmarks\n\n## Last measured\n\nold\n";
    expect(withLastMeasured(page, [line("first", 1), line("first", 3)])).toBe(
      [
        "# Benchmarks\n\n## Last measured\n",
        "| Figure | Measured | Compared with | Ratio | Target |  | Measured on |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        "| rate | 3 /s |  |  | ≥ 2 | met | 2026-11-23 |",
        "| rate: p99 | 3 /s |  |  | ≥ 2 | met | 2026-11-23 |\n",
      ].join("\n"),
    );
  });

  it("has what the history has", () => {
    const page = readFileSync(join(projectRoot, "docs", "benchmarks.md"), "utf8");
    expect(withLastMeasured(page, readHistory(projectRoot))).toBe(page);
  });
});
