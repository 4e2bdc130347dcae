import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { projectRoot } from "./project-root.ts";
import { packagesBelow } from "./supply-chain/shipped-packages.ts";

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  version: z.string(),
  private: z.literal(true),
  dependencies: versions,
  devDependencies: versions,
});

function manifestIn(folder: string) {
  const path = join(projectRoot, folder, "package.json");
  const { dependencies, devDependencies, ...rest } = manifest.parse(
    JSON.parse(readFileSync(path, "utf8")),
  );
  return { ...rest, needs: { ...dependencies, ...devDependencies } };
}

const root = manifestIn(".");
const names = readdirSync(join(projectRoot, "packages"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(names)("packages/%s", (name) => {
  const { version, needs } = manifestIn(join("packages", name));

  it("is a private workspace of the project's version", () => {
    expect(version).toBe(root.version);
  });

  it("names the packages that its sources import, and no others", () => {
    const imported = packagesBelow(join("packages", name), /\.test\.tsx?$/);
    // React's types have no import of their own.
    const named = Object.keys(needs).filter((one) => !one.startsWith("@types/"));
    expect(named.sort()).toEqual([...imported].sort());
  });

  it("names the version that all others name", () => {
    for (const other of [".", ...names.map((one) => join("packages", one))]) {
      const theirs = manifestIn(other).needs;
      for (const [one, wanted] of Object.entries(needs)) {
        expect([one, theirs[one] ?? wanted]).toEqual([one, wanted]);
      }
    }
  });
});
