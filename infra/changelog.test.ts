import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { projectRoot } from "./project-root.ts";

const versioned = z.looseObject({ version: z.string() });
const lockShape = versioned.extend({ packages: z.looseObject({ "": versioned }) });

const read = (name: string): string => readFileSync(join(projectRoot, name), "utf8");

/** The releases of the changelog, newest first. */
const releases = [
  ...read("CHANGELOG.md").matchAll(/^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$/gm),
].map(([, version = "", date = ""]) => ({ version, date }));

describe("the changelog", () => {
  it("begins with the version of the package", () => {
    const { version } = versioned.parse(JSON.parse(read("package.json")));
    const lock = lockShape.parse(JSON.parse(read("package-lock.json")));
    expect([releases[0]?.version, lock.version, lock.packages[""].version]).toEqual(
      Array(3).fill(version),
    );
  });

  it("has every release once, with its day, newest first", () => {
    const headings = read("CHANGELOG.md").match(/^## /gm) ?? [];
    expect(headings).toHaveLength(releases.length);
    expect(releases.length).toBeGreaterThan(1);
    const numbers = releases.map(({ version }) => version.split(".").map(Number));
    const days = releases.map(({ date }) => date);
    expect(days.toSorted().toReversed()).toEqual(days);
    const rank = ([major = 0, minor = 0, patch = 0]: number[]) =>
      (major * 1_000 + minor) * 1_000 + patch;
    const ranks = numbers.map(rank);
    expect([...new Set(ranks)].toSorted((a, b) => b - a)).toEqual(ranks);
  });
});
