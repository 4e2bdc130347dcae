import { describe, expect, it } from "@jest/globals";
import { fileCountsOf, sum } from "./file-counts.ts";

const tests = (...statuses: string[]) => statuses.map((status) => ({ status }));
const reportOf = (...testResults: unknown[]): string => JSON.stringify({ testResults });

describe("fileCountsOf", () => {
  it("counts what passed and what failed, and not what was skipped", () => {
    const report = reportOf(
      { name: "/a", status: "passed", assertionResults: tests("passed", "passed", "pending") },
      { name: "/b", status: "failed", assertionResults: tests("passed", "failed", "failed") },
    );
    expect(fileCountsOf(report)).toEqual([
      { file: "/a", passed: 2, failed: 0 },
      { file: "/b", passed: 1, failed: 2 },
    ]);
  });

  it("counts a file as one failure that could not be run, or whose end failed", () => {
    const report = reportOf(
      { name: "/a", status: "failed", assertionResults: [] },
      { name: "/b", status: "failed", assertionResults: tests("passed") },
    );
    expect(fileCountsOf(report)).toEqual([
      { file: "/a", passed: 0, failed: 1 },
      { file: "/b", passed: 1, failed: 1 },
    ]);
  });

  it("refuses what is no report", () => {
    expect(() => fileCountsOf("{}")).toThrow();
  });
});

describe("sum", () => {
  it("adds both counts, and is none of nothing", () => {
    const counts = [
      { passed: 1, failed: 2 },
      { passed: 3, failed: 4 },
    ];
    expect(sum(counts)).toEqual({ passed: 4, failed: 6 });
    expect(sum([])).toEqual({ passed: 0, failed: 0 });
  });
});
