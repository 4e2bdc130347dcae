import { describe, expect, it } from "@jest/globals";
import { withSection } from "./report.ts";

const NAMES = ["first", "second"];
const section = (name: string, measured: number) => ({
  name,
  madeOn: "2 cores",
  figures: [{ name: "rate", measured, unit: "/s", target: { kind: "reported" } as const }],
});

describe("a report", () => {
  const both = withSection(
    withSection("", section("second", 2), NAMES),
    section("first", 1),
    NAMES,
  );

  it("has a section for each benchmark that ran, in the benchmarks' order", () => {
    expect(both.match(/^## .*$/gm)).toEqual(["## first", "## second"]);
    expect(both).toMatch(/## first\n\n2 cores\n\n\| Figure [\s\S]*\| rate \| 1\.00 \/s/);
  });

  it("keeps the other sections when one benchmark runs again, and drops removed benchmarks", () => {
    const again = withSection(both, section("second", 3), NAMES);
    expect(again).toContain("| rate | 1.00 /s");
    expect(again).toContain("| rate | 3.00 /s");
    expect(again).not.toContain("| rate | 2.00 /s");
    expect(withSection(both, section("first", 4), ["first"])).not.toContain("## second");
  });
});
