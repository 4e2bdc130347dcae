import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../../../../infra/project-root.ts";

export const PEERS_FOLDER = join(projectRoot, "test", "lab", "bench", "webhooks", "peers");

const lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string() }).loose()),
});
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

/** The versions in a folder's node_modules; null where npm has not finished there. */
function installed(): ReadonlyMap<string, string> | null {
  const path = join(PEERS_FOLDER, "node_modules", ".package-lock.json");
  try {
    const { packages } = lock.parse(JSON.parse(readFileSync(path, "utf8")));
    return new Map(
      Object.entries(packages).map(([at, { version }]) => [
        at.replace(/^node_modules\//, ""),
        version,
      ]),
    );
  } catch {
    return null;
  }
}

/** The exact versions to measure. */
export function peerVersions(): ReadonlyMap<string, string> {
  const text = readFileSync(join(PEERS_FOLDER, "package.json"), "utf8");
  return new Map(Object.entries(manifest.parse(JSON.parse(text)).dependencies));
}

/** Installs the peers' packages where they are missing. @throws npm's error where that fails */
export function ensurePeerPackages(log: (line: string) => void): void {
  const found = installed();
  if ([...peerVersions()].every(([name, version]) => found?.get(name) === version)) return;
  log("installing the peers' packages …");
  // From the lockfile; unlike `npm ci` it does not fail where a registry lacks a native build for another platform.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, stderr, error } = spawnSync("npm", args, { cwd: PEERS_FOLDER, encoding: "utf8" });
  if (status === 0) return;
  rmSync(join(PEERS_FOLDER, "node_modules"), { recursive: true, force: true });
  const problem =
    error?.message ?? stderr.split("\n").find((line) => /error (?!code)\S/u.test(line)) ?? stderr;
  throw new Error(`the peers' packages cannot be installed: ${problem}`);
}
