import { describe, expect, it } from "@jest/globals";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { projectRoot } from "./project-root.ts";

const files = ["services", "infra", "packages", "test"].flatMap((folder) =>
  readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts") && !name.includes("node_modules"))
    .map((name) => join(folder, name)),
);
const onStack = files.filter((name) => /^test\/(integration|e2e|regressions|attacks)\//.test(name));

describe("the test files", () => {
  it("have unique names, so that a report identifies one", () => {
    const names = files.map((name) => basename(name));
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([]);
  });

  it("use no afterAll, which would hide why a beforeAll failed", () => {
    expect(onStack.length).toBeGreaterThan(50);
    const ending = onStack.filter((name) =>
      readFileSync(join(projectRoot, name), "utf8").includes("afterAll"),
    );
    expect(ending).toEqual([]);
  });
});
