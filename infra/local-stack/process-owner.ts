import { chownSync, lchownSync, mkdirSync, opendirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "./run-command.ts";

/** The user that a program runs as; only root may choose it. */
export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
}

export const isRoot = (): boolean => process.getuid?.() === 0;

async function findUser(name: string): Promise<ProcessOwner | null> {
  const idOf = async (flag: "-u" | "-g"): Promise<number> =>
    Number((await runCommand("id", [flag, name])).stdout);
  return Promise.all([idOf("-u"), idOf("-g")]).then(
    ([uid, gid]) => ({ uid, gid }),
    () => null,
  );
}

/** A system user, created where it is missing; null where that is not possible. Only for root. */
export async function ensureUser(name: string): Promise<ProcessOwner | null> {
  const existing = await findUser(name);
  if (existing !== null) return existing;
  await runCommand("groupadd", ["--system", name]).catch(() => undefined);
  await runCommand("useradd", ["--system", "-g", name, "-M", name]).catch(() => undefined);
  return findUser(name);
}

/** The first folder on the path that the user may not search; null when there is none. */
export function firstClosedFolder(path: string, owner: ProcessOwner): string | null {
  const parent = dirname(path);
  const closedAbove = parent === path ? null : firstClosedFolder(parent, owner);
  if (closedAbove !== null) return closedAbove;
  const { uid, gid, mode } = statSync(path);
  const searchBit = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
  return (mode & searchBit) === 0 ? path : null;
}

/**
 * Creates a folder that only its owner may read and, where we are root, gives it with everything in it to the owner, or
 * back to root. The folder itself comes last, so that what was interrupted is repeated.
 */
export function giveFolder(folder: string, owner: ProcessOwner | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const to = owner ?? { uid: 0, gid: 0 };
  if (isRoot() && statSync(folder).uid !== to.uid) giveTree(folder, to);
}

/** Folder by folder: `opendir` with `recursive` leaves out entries of deep trees in Node 20. */
function giveTree(folder: string, to: ProcessOwner): void {
  const entries = opendirSync(folder);
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) giveTree(path, to);
      else lchownSync(path, to.uid, to.gid);
    }
  } finally {
    entries.closeSync();
  }
  chownSync(folder, to.uid, to.gid);
}

/** Writes a file that only the owner may read. */
export function writeFor(path: string, content: string, owner: ProcessOwner | null): void {
  writeFileSync(path, content, { mode: 0o600 });
  if (owner !== null) chownSync(path, owner.uid, owner.gid);
}
