import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where PATH has the program. */
export function pathOf(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** A program's path; where it is missing, root installs its Debian package, by default of the same name. @throws without it */
export function requireProgram(program: string, debianPackage = program): string {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  if (pathOf(program) === undefined && process.getuid?.() === 0) {
    spawnSync("apt-get", ["update"], { env });
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", debianPackage], { env });
  }
  const path = pathOf(program);
  if (path === undefined) {
    throw new Error(`${program} is not installed (apt-get install ${debianPackage})`);
  }
  return path;
}
