import { randomUUID } from "node:crypto";
import { chmodSync, renameSync, writeFileSync } from "node:fs";

/** Writes a file so that a reader sees either the old content or the new; `mode` applies from the first byte. */
export function writeFileAtomically(path: string, content: string, mode: number): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  writeFileSync(draft, content, { mode, flag: "wx" });
  chmodSync(draft, mode);
  renameSync(draft, path);
}
