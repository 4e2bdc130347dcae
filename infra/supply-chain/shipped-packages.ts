import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../project-root.ts";
import { closureOf, nameAt, readLockfile, type LockedPackage, type Lockfile } from "./lockfile.ts";

/** A package that is delivered: installed in the image, or built into the pages that browsers load. */
export interface ShippedPackage {
  /** In the lockfile, such as `node_modules/koa`. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** As its package.json names it. */
  readonly licence: string | undefined;
}

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^"]*)?"/g;

/** Programs of the build and tests, which no browser loads. */
const NOT_IN_PAGES = /\.test\.tsx?$|vite\.config\.ts$/;

/** The packages that a source imports, without Node's own and without their paths inside. */
export function packagesIn(source: string): string[] {
  return [...source.matchAll(IMPORT)].map(([, name = ""]) => name);
}

/** The packages that the sources below a folder import. */
export function packagesBelow(folder: string, isLeftOut: RegExp): Set<string> {
  const names = readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" });
  const sources = names.filter((name) => /\.tsx?$/.test(name) && !isLeftOut.test(name));
  const texts = sources.map((name) => readFileSync(join(projectRoot, folder, name), "utf8"));
  return new Set(texts.flatMap(packagesIn));
}

/** The names of the packages that the image installs. */
export function imagePackages(lockfile: Lockfile): string[] {
  const root = lockfile.get("");
  return [
    ...Object.keys(root?.dependencies ?? {}),
    ...Object.keys(root?.optionalDependencies ?? {}),
  ];
}

/** Everything that is shipped, transitive packages included. The pages' packages are built in, so npm sees them as development's. */
export function shippedPackages(lockfile: Lockfile = readLockfile()): ShippedPackage[] {
  const ofPages = packagesBelow(join("services", "web"), NOT_IN_PAGES);
  const folders = closureOf(lockfile, [...imagePackages(lockfile), ...ofPages]);
  return [...folders].sort().map((folder) => shipped(folder, lockfile.get(folder)));
}

function shipped(folder: string, locked: LockedPackage | undefined): ShippedPackage {
  if (locked === undefined) throw new TypeError(`package-lock.json has no ${folder}`);
  const { version, license } = locked;
  return { folder, name: nameAt(folder, locked), version, licence: license };
}
