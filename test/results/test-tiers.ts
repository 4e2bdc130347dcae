import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Which command runs a file: `npm test` the core, `npm run test:all` that and the rest, `test:nightly` everything. */
export const TIERS = ["core", "all", "nightly"] as const;
export type Tier = (typeof TIERS)[number];

/** What a file needs beside Node, Java and Maven, and how Debian installs it. */
export const PROGRAMS = {
  chromium: "apt-get install chromium",
  promtool: "apt-get install prometheus",
  python3: "apt-get install python3 python3-venv",
  clamd: "apt-get install clamav-daemon",
  helm: "Helm 4, or Go 1.26, which builds it",
  docker: "apt-get install docker.io docker-compose; where no image can be pulled, CONTRIBUTING.md",
} as const;
export type Program = keyof typeof PROGRAMS;

export interface TestFile {
  /** Relative to the project's root. */
  readonly path: string;
  readonly tier: Tier;
  readonly needs: readonly Program[];
}

const isTier = (text: string): text is Tier => TIERS.some((tier) => tier === text);
const isProgram = (text: string): text is Program => Object.hasOwn(PROGRAMS, text);

/**
 * Reads a test file's first line, such as `/** @tier nightly @needs chromium *\/`: without `@tier` it is of the core.
 * @throws Error for a tier or a program that there is not
 */
export function readTestFile(path: string, text: string): TestFile {
  const [pragma = ""] = /^\/\*\* @.*/.exec(text) ?? [];
  const [, tier = "core"] = /@tier (\S+)/.exec(pragma) ?? [];
  const [, names = ""] = /@needs ([\w ]+)/.exec(pragma) ?? [];
  const needs = names.trim().split(/\s+/).filter(Boolean);
  if (!isTier(tier)) throw new Error(`${path}: there is no tier ${tier}`);
  const known = needs.filter(isProgram);
  if (known.length < needs.length) throw new Error(`${path}: unknown program in ${pragma}`);
  return { path, tier, needs: known };
}

/** The folders whose tests run on the stack, and the chart's. */
const FOLDERS = ["integration", "e2e", "regressions", "attacks", "kubernetes"];

/** Every test file that is not a unit test. */
export function testFilesIn(root: string): TestFile[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, "test", folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join("test", folder, name)),
  ).map((path) => readTestFile(path, readFileSync(join(root, path), "utf8")));
}

/** The files of a tier alone, or of it and those below it. */
export function ofTiers(files: readonly TestFile[], tiers: readonly Tier[]): TestFile[] {
  return files.filter(({ tier }) => tiers.includes(tier));
}
