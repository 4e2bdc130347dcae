import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function findRoot(folder: string): string {
  if (existsSync(join(folder, "package.json"))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error("no package.json above this file");
  return findRoot(parent);
}

/** The folder with package.json: the same whether this file runs from dist/ or as it is. */
export const projectRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** Where run.mjs puts the built programs. */
export const builtFolder = join(projectRoot, "dist");
