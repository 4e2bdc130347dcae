import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../infra/project-root.ts";

const run = promisify(execFile);
const FILES = ["package.json", "package-lock.json"] as const;

/**
 * The `node_modules/.bin` of the packages that a folder's package.json and lock file name, kept in `.cache` and installed
 * again when these have changed.
 */
export async function npmFolder(name: string, source: string): Promise<string> {
  const folder = join(projectRoot, ".cache", name);
  const bin = join(folder, "node_modules", ".bin");
  const files = await Promise.all(FILES.map((file) => readFile(join(source, file))));
  const wanted = createHash("sha256").update(Buffer.concat(files)).digest("hex");
  // Written last: a folder without it is left from an interrupted installation.
  const marker = join(folder, "installed");
  if (existsSync(marker) && (await readFile(marker, "utf8")) === wanted) return bin;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const file of FILES) await copyFile(join(source, file), join(folder, file));
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder });
  await writeFile(marker, wanted);
  return bin;
}
