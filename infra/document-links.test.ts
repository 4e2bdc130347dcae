import { describe, expect, it } from "@jest/globals";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "./project-root.ts";

const LINK = /\]\(([^)\s#]+)[^)]*\)/g;

const FOLDERS = ["docs", "examples"];

function documents(): string[] {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
      .map((name) => join(folder, name)),
  );
  return ["README.md", ...names.sort()];
}

describe("the documents", () => {
  it.each(documents())("have no dead link: %s", (name) => {
    const text = readFileSync(join(projectRoot, name), "utf8");
    const links = [...text.matchAll(LINK)].map(([, link = ""]) => link);
    const inside = links.filter((link) => !/^[a-z]+:/.test(link));
    const dead = inside.filter((link) => !existsSync(join(projectRoot, dirname(name), link)));
    expect(dead).toEqual([]);
  });
});

describe("the glossary", () => {
  const lines = readFileSync(join(projectRoot, "docs", "glossary.md"), "utf8")
    .trimEnd()
    .split("\n");
  const terms = lines.slice(2).map((line) => /^- \*\*(.+?)\*\*: \S/.exec(line)?.[1] ?? line);

  it("has 40 lines at most, one per term", () => {
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(terms.filter((term) => term.startsWith("-") || term === "")).toEqual([]);
  });

  it("has each term once, in alphabetical order", () => {
    const names = terms.map((term) => term.toLowerCase());
    expect(names).toEqual([...new Set(names)].toSorted((a, b) => a.localeCompare(b)));
  });
});
