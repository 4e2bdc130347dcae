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
  it.each(documents())("lead somewhere: %s", (name) => {
    const text = readFileSync(join(projectRoot, name), "utf8");
    const links = [...text.matchAll(LINK)].map(([, link = ""]) => link);
    const inside = links.filter((link) => !/^[a-z]+:/.test(link));
    const dead = inside.filter((link) => !existsSync(join(projectRoot, dirname(name), link)));
    expect(dead).toEqual([]);
  });
});
