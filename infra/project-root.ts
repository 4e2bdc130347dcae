import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function findRoot(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("no package.json above this file");
  return findRoot(parent);
}

/** The folder with package.json, whether this file runs from dist/ or from source. */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The folder of the built programs (run.mjs). */
export const builtFolder = join(projectRoot, "dist");
