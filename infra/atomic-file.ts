import { randomUUID } from "node:crypto";
import { chmodSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file so that a reader sees either the old content or the new; `mode` applies from the first byte. */
export function writeFileAtomically(path: string, content: string, mode: number): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, content, { mode, flag: "wx" });
    chmodSync(draft, mode);
    renameSync(draft, path);
  } catch (error) {
    // On a full disk each attempt would leave one.
    rmSync(draft, { force: true });
    throw error;
  }
}
