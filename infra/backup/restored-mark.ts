import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../atomic-file.ts";

function pathIn(dataDir: string): string {
  return join(dataDir, "restored");
}

/** Notes that the database of the folder is restored and not yet reconciled with the topics. */
export function markRestored(dataDir: string): void {
  writeFileAtomically(
    pathIn(dataDir),
    "npm start reconciles the topics with this database.\n",
    0o600,
  );
}

export function isMarkedRestored(dataDir: string): boolean {
  return existsSync(pathIn(dataDir));
}

export function clearRestoredMark(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true });
}
