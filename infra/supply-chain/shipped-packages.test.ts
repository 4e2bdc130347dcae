import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../project-root.ts";
import {
  closureOf,
  creditedPackages,
  imagePackages,
  packagesIn,
  packagesOf,
  readLockfile,
  shippedPackages,
  unknownLicences,
  unusedLicences,
  type Lockfile,
} from "./shipped-packages.ts";

const lockfile = readLockfile();
const shipped = shippedPackages(lockfile);

describe("the licences of what is shipped", () => {
  it("are all among those that are allowed", () => {
    expect(shipped.length).toBeGreaterThan(100);
    expect(unknownLicences(shipped)).toEqual([]);
  });

  it("leave nothing in the tables that no package has", () => {
    expect(unusedLicences(shipped)).toEqual([]);
  });

  it("would be reported where nobody has allowed them, or for another version of a file that was read", () => {
    const sample = { folder: "", name: "png-js", version: "0.0.1" };
    const all = [
      { ...sample, licence: undefined },
      { ...sample, licence: "(GPL-3.0-only OR MIT)" },
      { ...sample, licence: "(MIT)" },
    ];
    expect(unknownLicences(all)).toEqual([
      "png-js@0.0.1: no licence",
      "png-js@0.0.1: GPL-3.0-only OR MIT",
    ]);
  });

  it("are credited in NOTICE where they ask for it, and no others", () => {
    const notice = readFileSync(join(projectRoot, "NOTICE"), "utf8");
    const credited = [...notice.matchAll(/^- (\S+): /gm)].map(([, name = ""]) => name);
    expect(credited).toEqual(creditedPackages(shipped));
    expect(credited).toContain("date-holidays");
  });
});

describe("the shipped packages", () => {
  const folders = new Set(shipped.map(({ folder }) => folder));

  it("have all that npm installs without development packages", () => {
    const installed = [...lockfile].flatMap(([folder, { dev, link }]) =>
      dev || link || !folder.startsWith("node_modules/") ? [] : [folder],
    );
    const named = [...imagePackages(lockfile), ...packagesOf(lockfile, "packages/cli")];
    expect([...closureOf(lockfile, named)].sort()).toEqual(installed.sort());
  });

  it("have what is built into the pages, and no tools of the build", () => {
    expect([...folders]).toEqual(
      expect.arrayContaining(["node_modules/react-dom", "node_modules/scheduler"]),
    );
    expect(folders).not.toContain("node_modules/vite");
    expect(folders).not.toContain("node_modules/jest");
  });

  it("are read from every form of an import", () => {
    const source = `import { a } from "a"; import type { B } from "@b/c/d"; import "e/f.css";
      export { g } from "./g.ts"; const h = await import("h"); import { i } from "node:i";`;
    expect(packagesIn(source)).toEqual(["a", "@b/c", "e", "h"]);
  });
});

describe("the closure of packages", () => {
  const entry = {
    version: "1.0.0",
    dev: false,
    link: false,
    dependencies: {},
    optionalDependencies: {},
    peerDependencies: {},
    peerDependenciesMeta: {},
  };
  const samples: Lockfile = new Map([
    ["", { ...entry, dependencies: { a: "1" } }],
    [
      "node_modules/a",
      {
        ...entry,
        dependencies: { b: "1" },
        peerDependencies: { c: "1", d: "1" },
        peerDependenciesMeta: { d: { optional: true } },
      },
    ],
    [
      "node_modules/a/node_modules/b",
      { ...entry, dependencies: { a: "1" }, optionalDependencies: { e: "1" } },
    ],
    ["node_modules/b", entry],
    ["node_modules/c", entry],
    ["node_modules/d", entry],
  ]);

  it("takes the nearest version, required peers, and optional packages where they exist", () => {
    const found = closureOf(samples, ["a"]);
    expect([...found]).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/c",
    ]);
  });

  it("refuses a package that is not locked", () => {
    expect(() => closureOf(samples, ["f"])).toThrow("package-lock.json has no f for the project");
  });
});
