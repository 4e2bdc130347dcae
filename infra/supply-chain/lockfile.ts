import { readFileSync } from "node:fs";
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
  dependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().default(false) }))
    .default({}),
});

export type LockedPackage = z.infer<typeof lockedPackage>;

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
export function nameAt(folder: string, { name }: LockedPackage): string {
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
