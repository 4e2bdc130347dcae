import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { LTS_NODE, LTS_NODE_VERSION, OLDEST_NODE_VERSION } from "./node-version.ts";
import { projectRoot } from "./project-root.ts";

const read = (name: string): string => readFileSync(join(projectRoot, name), "utf8");

/** The oldest supported line, and the one that many machines still have, of which the documents say what happens there. */
const OTHERS = ["Node 22", "Node 20"];

/** Documents of today: decisions and measurements name the version of their time. */
const DOCUMENTS = [
  "README.md",
  ...["docs", "examples"].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !/^adr|node_modules/.test(name))
      .map((name) => join(folder, name)),
  ),
];

/** Every line of Node that a document names, such as `Node 26`, however its version is written. */
function linesOfNode(text: string): string[] {
  const found = text.matchAll(/\bNode(?:\.js)?(?: |:|@| ≥ )(\d\d)\b/gi);
  return [...new Set([...found].map(([, major = ""]) => `Node ${major}`))].sort();
}

describe("the LTS version of Node", () => {
  it("is an exact release that the project supports", () => {
    const [, oldest = "", floor = ""] = /"node": ">=((\d+)\.\d+)"/.exec(read("package.json")) ?? [];
    expect(OLDEST_NODE_VERSION).toBe(`${oldest}.0`);
    expect(LTS_NODE_VERSION).toMatch(/^\d+\.\d+\.\d+$/);
    expect(Number.parseInt(LTS_NODE_VERSION)).toBeGreaterThan(Number(floor));
    expect(linesOfNode(`node:${LTS_NODE_VERSION}-slim`)).toEqual([LTS_NODE]);
  });

  it.each(["README.md", "docs/guides/quick-start.md", "docs/guides/docker.md"])(
    "is recommended by %s",
    (name) => expect(linesOfNode(read(name))).toContain(LTS_NODE),
  );

  it.each(DOCUMENTS)("is the only one of its age in %s", (name) => {
    const lines = linesOfNode(read(name));
    expect(lines.filter((line) => line !== LTS_NODE && !OTHERS.includes(line))).toEqual([]);
  });
});
