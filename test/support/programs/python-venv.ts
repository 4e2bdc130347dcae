import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../infra/project-root.ts";

const run = promisify(execFile);
/** Written last: a folder without it is left from an interrupted installation. */
const MARKER = "installed";

async function markerOf(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, MARKER), "utf8");
  } catch {
    return null;
  }
}

/**
 * The `bin` folder of a Python environment with the packages that a requirements file pins; built again when the file
 * has changed.
 */
export async function pythonVenv(name: string, requirements: string): Promise<string> {
  const folder = join(projectRoot, ".cache", name);
  const bin = join(folder, "bin");
  const wanted = createHash("sha256")
    .update(await readFile(requirements))
    .digest("hex");
  if ((await markerOf(folder)) === wanted) return bin;
  await rm(folder, { recursive: true, force: true });
  await run("python3", ["-m", "venv", folder]);
  await run(join(bin, "pip"), ["install", "--quiet", "--requirement", requirements]);
  await writeFile(join(folder, MARKER), wanted);
  return bin;
}
