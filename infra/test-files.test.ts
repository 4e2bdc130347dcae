import { describe, expect, it } from "@jest/globals";
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { END_TO_END_ON_LTS } from "../test/checks.ts";
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

  it("have those that are run first", () => {
    const slowest: unknown = JSON.parse(
      readFileSync(join(projectRoot, "test/slowest.json"), "utf8"),
    );
    expect(files).toEqual(expect.arrayContaining(slowest as string[]));
  });

  it("have the one that also runs on the LTS version of Node", () => {
    const pattern = END_TO_END_ON_LTS.args.at(-1) ?? "";
    expect(files.filter((name) => name.includes(pattern))).toHaveLength(1);
  });
});
