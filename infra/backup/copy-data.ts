import { chown, copyFile, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessOwner } from "../local-stack/process-owner.ts";
import { errorCodeOf } from "../../services/platform/errors.ts";

export interface CopyOptions {
  /** Whether to leave out a path, relative to the folder; a folder is left out with its contents. */
  readonly leaveOut?: (path: string) => boolean;
  readonly owner: ProcessOwner | null;
}

/** Copies a data folder, flushed to disk. Files that vanish during the copy are skipped: a running server removes some. */
export async function copyData(from: string, to: string, options: CopyOptions): Promise<number> {
  return copyFolder({ from, to, path: "" }, options);
}

interface Place {
  readonly from: string;
  readonly to: string;
  /** Relative to both. */
  readonly path: string;
}

async function copyFolder({ from, to, path }: Place, options: CopyOptions): Promise<number> {
  const target = join(to, path);
  await mkdir(target, { mode: 0o700 });
  await setOwner(target, options.owner);
  let bytes = 0;
  const entries = await readdir(join(from, path), { withFileTypes: true }).catch(skipMissing);
  for (const entry of entries ?? []) {
    const inside = join(path, entry.name);
    if (options.leaveOut?.(inside) === true) continue;
    if (entry.isDirectory()) bytes += await copyFolder({ from, to, path: inside }, options);
    else if (entry.isFile()) bytes += await copyOne(join(from, inside), join(to, inside), options);
  }
  await flush(target);
  return bytes;
}

async function copyOne(from: string, to: string, { owner }: CopyOptions): Promise<number> {
  const copied = await copyFile(from, to).then(() => true, skipMissing);
  if (copied !== true) return 0;
  await setOwner(to, owner);
  return flush(to);
}

async function setOwner(path: string, owner: ProcessOwner | null): Promise<void> {
  if (owner !== null) await chown(path, owner.uid, owner.gid);
}

/** Flushes a file to disk; returns its size in bytes. */
export async function flush(path: string): Promise<number> {
  const file = await open(path, "r");
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

function skipMissing(error: unknown): null {
  if (errorCodeOf(error) === "ENOENT") return null;
  throw error;
}
