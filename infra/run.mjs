/**
 * Builds the project into dist/ when a source is newer than the last build, then runs one built program:
 * `node infra/run.mjs infra/start.ts [arguments]`; without a program it only builds.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = join(root, "dist", ".built");

function newestUnder(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestUnder(path) : statSync(path).mtimeMs);
  }
  return newest;
}

function isStale() {
  if (!existsSync(stamp)) return true;
  const sources = ["services", "infra", "test"].map((name) => join(root, name)).filter(existsSync);
  const files = [join(root, "tsconfig.json"), join(root, "package-lock.json")];
  const newest = Math.max(...sources.map(newestUnder), ...files.map((file) => statSync(file).mtimeMs));
  return newest > statSync(stamp).mtimeMs;
}

function build() {
  console.error("building …");
  const startedAt = new Date();
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", root], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, `${startedAt.toISOString()}\n`);
}

// A production image holds dist/ alone: there is nothing to build and no compiler to build it with.
if (existsSync(join(root, "node_modules", "typescript")) && isStale()) build();

const program = process.argv[2];
if (program !== undefined) {
  const built = join(root, "dist", program.replace(/\.ts$/, ".js"));
  process.argv.splice(1, 2, built);
  await import(pathToFileURL(built).href);
}
