import { describe, expect, it } from "@jest/globals";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { anchorsOf } from "./docs-site/headings.ts";
import { projectRoot } from "./project-root.ts";

const LINK = /\]\(([^)\s]+)[^)]*\)/g;

const FOLDERS = ["docs", "examples", "packages", "services"];

/** Paths of the API that documents link to; the test of the docs site asks for them. */
const SERVED: ReadonlySet<string> = new Set([
  "/docs/api",
  "/docs/desk-api",
  "/openapi.json",
  "/asyncapi.json",
]);

function documents(): string[] {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
      .map((name) => join(folder, name)),
  );
  return ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", ...names.sort()];
}

function read(name: string): string {
  return readFileSync(join(projectRoot, name), "utf8");
}

/** Whether a link of a document names no file, or a heading that its file does not have. */
function isDead(name: string, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return false;
  if (link.startsWith("/")) return !SERVED.has(link);
  const [path = "", anchor] = link.split("#", 2);
  const target = path === "" ? name : join(dirname(name), path);
  if (!existsSync(join(projectRoot, target))) return true;
  return anchor !== undefined && !anchorsOf(read(target)).has(anchor);
}

describe("the documents", () => {
  it.each(documents())("have no dead link: %s", (name) => {
    const links = [...read(name).matchAll(LINK)].map(([, link = ""]) => link);
    expect(links.filter((link) => isDead(name, link))).toEqual([]);
  });

  it("would be reported for a missing file, heading or path", () => {
    const dead = ["docs/none.md", "docs/glossary.md#none", "#none", "/docs/none"];
    const alive = ["docs/glossary.md", "docs/carriers.md#capabilities", "/openapi.json"];
    expect([...dead, ...alive].filter((link) => isDead("README.md", link))).toEqual(dead);
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
