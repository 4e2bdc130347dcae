import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { PAGES_DIR } from "../../services/platform/http/pages/built-pages.ts";
import { AppError } from "../../services/platform/errors.ts";
import { projectRoot } from "../project-root.ts";
import { lockDataFolder } from "../start/supervisor/pid-files.ts";
import { until } from "../start/supervisor/until.ts";

/** An application, packages/<page>-page, or the docs site, which is drawn into the template that Vite builds. */
const PAGES = ["desk", "portal", "docs"] as const;
type Page = (typeof PAGES)[number];

/** What every page is made of; the docs site shows tables made from the code as well. */
const SOURCES = [
  "packages/desk-page",
  "packages/portal-page",
  "packages/docs-page",
  "packages/ui",
  "infra/pages",
  "services/domain",
  "services/messages",
  "services/platform",
  "package-lock.json",
];
const DOCS_SOURCES = [
  "docs",
  "examples",
  "infra",
  "schemas",
  "services",
  "CHANGELOG.md",
  "README.md",
  "CONTRIBUTING.md",
];
const SUM_FILE = ".sources";
const BUILD_MS = 180_000;

const built = join(projectRoot, PAGES_DIR);

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map(({ parentPath, name }) => join(parentPath, name));
}

function sumOf(page: Page): string {
  const names = page === "docs" ? [...SOURCES, ...DOCS_SOURCES] : SOURCES;
  const paths = names.flatMap((name) => {
    const path = join(projectRoot, name);
    return /\.\w+$/.test(name) ? [path] : filesBelow(path);
  });
  const hash = createHash("sha256");
  for (const path of [...new Set(paths)].filter((one) => !/\.test\.tsx?$/.test(one)).sort()) {
    hash.update(relative(projectRoot, path)).update(readFileSync(path));
  }
  return hash.digest("hex");
}

type Sums = Readonly<Record<Page, string>>;

/** Of what each page is made of now. */
function currentSums(): Sums {
  const application = sumOf("desk");
  return { desk: application, portal: application, docs: sumOf("docs") };
}

function isCurrent(page: Page, sums: Sums): boolean {
  const file = join(built, page, SUM_FILE);
  return existsSync(file) && readFileSync(file, "utf8") === sums[page];
}

function run(...args: string[]): void {
  // Jest's own value would have React's development calls compiled in, which the built React does not have.
  const env = { ...process.env, NODE_ENV: "production" };
  const { status } = spawnSync(process.execPath, args, { cwd: projectRoot, stdio: "inherit", env });
  if (status !== 0) throw new AppError("stack_failed", "The pages could not be built.");
}

/** Builds into another folder and puts that in place, so that a page is always whole. */
function build(page: Page, sum: string): void {
  const draft = join(projectRoot, ".cache", "pages", page);
  rmSync(draft, { recursive: true, force: true });
  const vite = join(projectRoot, "node_modules", "vite", "bin", "vite.js");
  const config = join(projectRoot, "infra", "pages", "vite.config.ts");
  const how = ["--config", config, "--mode", page, "--logLevel", "error"];
  run(vite, "build", ...how, "--outDir", draft);
  if (page === "docs") run(join(projectRoot, "infra", "docs-site", "main.ts"), draft);
  writeFileSync(join(draft, SUM_FILE), sum);
  mkdirSync(built, { recursive: true });
  rmSync(join(built, page), { recursive: true, force: true });
  renameSync(draft, join(built, page));
}

async function lock(): Promise<() => void> {
  const folder = join(projectRoot, ".cache", "pages");
  mkdirSync(folder, { recursive: true });
  const held: { unlock?: () => void } = {};
  const tryLock = (): boolean => {
    try {
      held.unlock = lockDataFolder(folder);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    return held.unlock !== undefined;
  };
  await until(tryLock, { timeoutMs: BUILD_MS, what: "another build of the pages" });
  return () => held.unlock?.();
}

/** Builds the pages whose sources differ from those that they were built from; says so in a line. @throws `stack_failed` */
export async function ensurePages(log: (line: string) => void): Promise<void> {
  const sums = currentSums();
  const stale = (): Page[] => PAGES.filter((page) => !isCurrent(page, sums));
  if (stale().length === 0) return;
  const unlock = await lock();
  try {
    // Another process may have built them while this one waited.
    for (const page of stale()) {
      log(`building the pages of ${page} …`);
      build(page, sums[page]);
    }
  } finally {
    unlock();
  }
}
