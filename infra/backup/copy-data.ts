import { chown, copyFile, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ProcessOwner } from "../local-stack/postgres-user.ts";
import { hasErrorCode } from "../error-code.ts";

export interface CopyOptions {
  /** Whether a path, relative to the folder, is left out; of a folder so named, all that is in it. */
  readonly leaveOut?: (path: string) => boolean;
  readonly owner: ProcessOwner | null;
}

/** Copies a data folder, flushed to disk. Files that vanish under the copy are skipped: a running server removes some. */
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
  await give(target, options.owner);
  let bytes = 0;
  const entries = await readdir(join(from, path), { withFileTypes: true }).catch(passOver);
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
  const copied = await copyFile(from, to).then(() => true, passOver);
  if (copied !== true) return 0;
  await give(to, owner);
  return flush(to);
}

async function give(path: string, owner: ProcessOwner | null): Promise<void> {
  if (owner !== null) await chown(path, owner.uid, owner.gid);
}

/** Its size. */
export async function flush(path: string): Promise<number> {
  const file = await open(path, "r");
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}

function passOver(error: unknown): null {
  if (hasErrorCode(error, "ENOENT")) return null;
  throw error;
}
