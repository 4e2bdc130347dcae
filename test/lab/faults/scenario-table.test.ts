import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { SCENARIOS } from "./scenario-table.ts";

const QUICK_SECONDS = 600;
const page = readFileSync(join(projectRoot, "docs", "operations.md"), "utf8");

describe("the scenarios", () => {
  it("have names of their own", () => {
    expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
  });

  it("have ten quick ones, which take ten minutes together", () => {
    const quick = SCENARIOS.filter(({ isQuick }) => isQuick);
    expect(quick).toHaveLength(10);
    expect(quick.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThanOrEqual(QUICK_SECONDS);
  });

  it.each(SCENARIOS)(
    "$name stands in the documentation with each of its faults",
    ({ name, faults, promises }) => {
      for (const fault of faults) {
        const row = new RegExp(`^\\| ${fault} .*$`, "m").exec(page)?.[0] ?? "";
        if (name !== "random" && name !== "kills") expect(row).toContain(`\`${name}\``);
      }
      for (const promise of promises) expect(page).toMatch(new RegExp(`^\\| ${promise} `, "m"));
    },
  );
});
