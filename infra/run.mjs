/**
 * Builds the project into dist/ when a source is newer than the last build, then runs one built program:
 * `node infra/run.mjs infra/start/main.ts [arguments]`; without a program it only builds.
 */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL, URL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const stamp = join(dist, ".built");
const lock = join(root, ".cache", "build.lock");

function newestUnder(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) newest = Math.max(newest, newestUnder(path));
    else newest = Math.max(newest, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  }
  return newest;
}

function isStale() {
  const builtAt = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return true;
  const folders = ["services", "infra", "packages", "test", "examples", "docs"];
  const sources = folders.map((name) => join(root, name)).filter(existsSync);
  const names = ["tsconfig.json", "package-lock.json", "CHANGELOG.md"];
  const files = names.map((name) => join(root, name));
  const changed = [...sources.map(newestUnder), ...files.map((file) => statSync(file).mtimeMs)];
  return Math.max(...changed) > builtAt;
}

function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function tryLock() {
  mkdirSync(join(root, ".cache"), { recursive: true });
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  let holder = "";
  try {
    holder = readFileSync(lock, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  // An empty lock is just being written.
  if (holder !== "" && !runs(Number(holder))) rmSync(lock, { force: true });
  return false;
}

function removeAbandoned() {
  for (const name of readdirSync(root)) {
    const [, pid] = /^\.dist-(?:old-)?(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !runs(Number(pid)))
      rmSync(join(root, name), { recursive: true, force: true });
  }
}

/** The pages for browsers; false when it fails. */
function buildPages(folder) {
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const pages = join(root, "services", "web");
  // Jest's own value would have React's development calls compiled in, which the built React does not have.
  const env = { ...process.env, NODE_ENV: "production" };
  return ["desk", "portal", "docs"].every((name) => {
    const into = ["--outDir", join(folder, name), "--logLevel", "error"];
    const args = [vite, "build", pages, "--config", join(pages, "vite.config.ts"), "--mode", name];
    const { status } = spawnSync(process.execPath, [...args, ...into], {
      cwd: root,
      stdio: "inherit",
      env,
    });
    return status === 0;
  });
}

/** The docs site, drawn into its built template by the compiled generator; false when it fails. */
function buildDocs(next) {
  const args = [join(next, "infra", "docs-site", "main.js"), join(next, "web", "docs")];
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status === 0;
}

/** Compiles into another folder and swaps it with dist/, so that dist/ is always a whole build; false when it fails. */
function build() {
  console.error("building …");
  const startedAt = new Date();
  const next = join(root, `.dist-${process.pid}`);
  const old = join(root, `.dist-old-${process.pid}`);
  removeAbandoned();
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  // The type check of the tests continues from what this build has checked.
  const info = ["--incremental", "--tsBuildInfoFile", join(next, ".tsbuildinfo")];
  const args = [tsc, "-p", root, "--outDir", next, ...info];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  const isBuilt = status === 0 && buildPages(join(next, "web")) && buildDocs(next);
  if (isBuilt) {
    writeFileSync(join(next, ".built"), `${startedAt.toISOString()}\n`);
    // Sources saved while the compiler ran count as newer than this build.
    utimesSync(join(next, ".built"), startedAt, startedAt);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(next, dist);
    rmSync(old, { recursive: true, force: true });
  }
  rmSync(next, { recursive: true, force: true });
  return isBuilt;
}

function buildWhenStale() {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (isStale()) {
    if (!tryLock()) {
      Atomics.wait(pause, 0, 0, 100);
      continue;
    }
    // Another start may have built it while this one waited.
    const isBuilt = !isStale() || build();
    rmSync(lock, { force: true });
    if (isBuilt) return;
    // A reader of a test run's counts needs them even when the build fails.
    if (process.argv[2] === "test/run.ts") console.log("\n0 passed, 1 failed");
    process.exit(1);
  }
}

// A production image has only dist/: no sources and no compiler.
if (existsSync(join(root, "node_modules", "typescript"))) buildWhenStale();

const program = process.argv[2];
if (program !== undefined) {
  const settings = join(root, ".env");
  // Tests ignore .env: a developer's own settings must not lead them to another database.
  if (!program.startsWith("test/") && existsSync(settings)) process.loadEnvFile(settings);
  const built = join(dist, program.replace(/\.ts$/, ".js"));
  process.argv.splice(1, 2, built);
  await import(pathToFileURL(built).href);
}
