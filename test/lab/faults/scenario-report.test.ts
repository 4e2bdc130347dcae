import { describe, expect, it } from "@jest/globals";
import { none, reported, type Scenario } from "./scenario.ts";
import { isHeld, withScenario, type Outcome } from "./scenario-report.ts";

const scenario = (name: string): Scenario => ({
  name,
  what: "the power goes",
  faults: ["F1"],
  promises: ["P1"],
  seconds: 1,
  isQuick: false,
  run: () => Promise.resolve([]),
});
const ALL = [scenario("first"), scenario("second")];
const held: Outcome = {
  figures: [reported("changes", 1_234), none("lost", 0)],
  kills: { api: 2 },
  breaches: [],
};
const lost: Outcome = {
  ...held,
  figures: [none("lost", 3)],
  breaches: ["lost: created of order o"],
};

function written(report: string, name: string, outcome: Outcome): string {
  const section = { scenario: scenario(name), outcome, madeOn: "2 cores; seed 7." };
  return withScenario(report, section, ALL);
}

describe("the report of the scenarios", () => {
  it("has what was done, where, the figures and the kills", () => {
    const report = written("", "first", held);
    expect(report).toContain("## first\n\nThe power goes. F1, P1.\n\n2 cores; seed 7.");
    expect(report).toContain("| changes | 1,234 |  |  |");
    expect(report).toContain("| lost | 0 | ≤ 0 | met |");
    expect(report).toContain("Killed: api 2.");
  });

  it("shows a miss with its first breaches, and a scenario that did not end with the reason", () => {
    const report = written("", "first", lost);
    expect(report).toContain("| lost | 3 | ≤ 0 | MISSED |");
    expect(report).toContain("- lost: created of order o");
    expect(written(report, "first", { failure: "Not quiet." })).toMatch(
      /\*\*MISSED\*\*[^]*Not quiet\./,
    );
  });

  it("replaces the section of a scenario that runs again, and keeps the others", () => {
    const both = written(written("", "second", held), "first", lost);
    const again = written(both, "first", held);
    expect(again.match(/^## .*$/gm)).toEqual(["## first", "## second"]);
    expect(again).not.toContain("MISSED");
  });

  it("takes a scenario as held only where it came to an end and met every target", () => {
    expect([held, lost, { failure: "Not quiet." }].map(isHeld)).toEqual([true, false, false]);
  });
});
