import { statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../services/platform/errors.ts";
import { runCommand } from "./run-command.ts";

export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
}

const USER = "postgres";

async function idOf(flag: "-u" | "-g"): Promise<number> {
  return Number((await runCommand("id", [flag, USER])).stdout);
}

async function findUser(): Promise<ProcessOwner | null> {
  return Promise.all([idOf("-u"), idOf("-g")]).then(
    ([uid, gid]) => ({ uid, gid }),
    () => null,
  );
}

/** The user for Postgres, which refuses to run as root; created where it is missing. Null unless we are root. */
export async function postgresOwner(): Promise<ProcessOwner | null> {
  if (process.getuid?.() !== 0) return null;
  const existing = await findUser();
  if (existing !== null) return existing;
  await runCommand("groupadd", ["--system", USER]).catch(() => undefined);
  await runCommand("useradd", ["--system", "-g", USER, "-M", USER]);
  const made = await findUser();
  if (made !== null) return made;
  throw new AppError(
    "stack_failed",
    `Postgres cannot run as root and the user ${USER} could not be created: create it, start as another user, or set DATABASE_URL.`,
  );
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
