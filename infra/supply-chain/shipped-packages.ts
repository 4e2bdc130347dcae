import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../project-root.ts";

const ranges = z.record(z.string(), z.string()).default({});

const lockedPackage = z.object({
  /** Only where it differs from the folder's. */
  name: z.string().optional(),
  version: z.string().default(""),
  /** As package.json has it, at best an SPDX expression. */
  license: z.string().optional(),
  /** Installed for development alone. */
  dev: z.boolean().default(false),
  /** To a workspace of this project. */
  link: z.boolean().default(false),
  dependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().default(false) }))
    .default({}),
});

type LockedPackage = z.infer<typeof lockedPackage>;

/** The packages of a package-lock.json by their folders, such as `node_modules/a/node_modules/b`; the root's is empty. */
export type Lockfile = ReadonlyMap<string, LockedPackage>;

export function readLockfile(): Lockfile {
  const text = readFileSync(join(projectRoot, "package-lock.json"), "utf8");
  const { packages } = z
    .object({ packages: z.record(z.string(), lockedPackage) })
    .parse(JSON.parse(text));
  return new Map(Object.entries(packages));
}

/** `node_modules/a/node_modules/@b/c` → `@b/c`. */
function nameAt(folder: string, { name }: LockedPackage): string {
  return name ?? folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length);
}

/** Where Node finds a package that a folder's code imports: in the folder itself or in the nearest one above it. */
function folderOf(lockfile: Lockfile, from: string, name: string): string | undefined {
  const own = from === "" ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (lockfile.has(own)) return own;
  if (from === "") return undefined;
  return folderOf(lockfile, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))), name);
}

/** What a package cannot do without: an optional peer is used only where something else brings it. */
function requiredBy(found: LockedPackage): string[] {
  const peers = Object.keys(found.peerDependencies).filter(
    (name) => found.peerDependenciesMeta[name]?.optional !== true,
  );
  return [...Object.keys(found.dependencies), ...peers];
}

/** The folders of the named packages and of all that these need. @throws {TypeError} where one is not locked */
export function closureOf(lockfile: Lockfile, names: Iterable<string>): Set<string> {
  const found = new Set<string>();
  const add = (from: string, name: string, isOptional: boolean): void => {
    const folder = folderOf(lockfile, from, name);
    const locked = folder === undefined ? undefined : lockfile.get(folder);
    if (folder === undefined || locked === undefined) {
      if (isOptional) return;
      throw new TypeError(`package-lock.json has no ${name} for ${from || "the project"}`);
    }
    if (found.has(folder)) return;
    found.add(folder);
    const optional = Object.keys(locked.optionalDependencies);
    for (const one of requiredBy(locked)) add(folder, one, optional.includes(one));
    for (const one of optional) add(folder, one, true);
  };
  for (const name of names) add("", name, false);
  return found;
}

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

const TESTS = /\.test\.tsx?$/;

const PAGES = ["desk-page", "portal-page", "docs-page", "ui"];

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
  return packagesOf(lockfile, "");
}

/** The names of the packages that the project's root, "", or a workspace needs to run. */
export function packagesOf(lockfile: Lockfile, folder: string): string[] {
  const found = lockfile.get(folder);
  return [
    ...Object.keys(found?.dependencies ?? {}),
    ...Object.keys(found?.optionalDependencies ?? {}),
  ];
}

/** Everything that is shipped, transitive packages included. The pages' packages are built in, so npm sees them as development's. */
export function shippedPackages(lockfile: Lockfile = readLockfile()): ShippedPackage[] {
  const ofPages = PAGES.flatMap((page) => [...packagesBelow(join("packages", page), TESTS)]);
  const folders = closureOf(lockfile, [...imagePackages(lockfile), ...ofPages]);
  return [...folders].sort().map((folder) => shipped(folder, lockfile.get(folder)));
}

function shipped(folder: string, locked: LockedPackage | undefined): ShippedPackage {
  if (locked === undefined) throw new TypeError(`package-lock.json has no ${folder}`);
  const { version, license } = locked;
  return { folder, name: nameAt(folder, locked), version, licence: license };
}

/**
 * The SPDX expressions under which a package may be shipped. Each allows use in a proprietary product and
 * asks for its text beside the copy at most, which the package itself or the pages' licenses.md has.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "MIT AND Zlib",
  "PSF-2.0",
  "Unlicense",
  "Bitstream-Vera",
]);

/** Those that ask to be credited where people read it: NOTICE has each package under one. */
const ALLOWED_WITH_CREDIT: ReadonlySet<string> = new Set(["ISC AND CC-BY-3.0"]);

/** Packages whose package.json has no SPDX expression, by what the licence file of just this version says. */
const READ: ReadonlyMap<string, string> = new Map([
  ["@kafkajs/confluent-schema-registry@3.9.0", "MIT"],
  ["dejavu-fonts-ttf@2.37.3", "Bitstream-Vera"],
  ["png-js@2.0.0", "MIT"],
]);

const idOf = ({ name, version }: ShippedPackage): string => `${name}@${version}`;

/** A package's SPDX expression without outer parentheses; undefined where nobody knows it. */
export function licenceOf(shipped: ShippedPackage): string | undefined {
  return READ.get(idOf(shipped)) ?? shipped.licence?.replace(/^\((.*)\)$/, "$1");
}

/** The packages that nobody has allowed yet, each with its licence. */
export function unknownLicences(all: readonly ShippedPackage[]): string[] {
  return all.flatMap((one) => {
    const licence = licenceOf(one) ?? "no licence";
    const isAllowed = ALLOWED.has(licence) || ALLOWED_WITH_CREDIT.has(licence);
    return isAllowed ? [] : [`${idOf(one)}: ${licence}`];
  });
}

/** The names of the packages that NOTICE has to credit. */
export function creditedPackages(all: readonly ShippedPackage[]): string[] {
  return all.filter((one) => ALLOWED_WITH_CREDIT.has(licenceOf(one) ?? "")).map(({ name }) => name);
}

/** Entries of the tables that no shipped package needs any more. */
export function unusedLicences(all: readonly ShippedPackage[]): string[] {
  const ids = new Set(all.map(idOf));
  const used = new Set(all.map(licenceOf));
  const allowed = [...ALLOWED, ...ALLOWED_WITH_CREDIT].filter((licence) => !used.has(licence));
  return [...allowed, ...[...READ.keys()].filter((id) => !ids.has(id))];
}
