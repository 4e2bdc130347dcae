import { execFile } from "node:child_process";
import { chownSync, lchownSync, mkdirSync, opendirSync, statSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { AppError } from "../../services/platform/errors.ts";
import { projectRoot } from "../project-root.ts";
import type { PidFiles } from "../start/supervisor/pid-files.ts";

const run = promisify(execFile);

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly signal?: AbortSignal;
}

interface Failure {
  readonly code?: number | string;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Runs a program to its end and returns its output. @throws `stack_failed` with the last lines of its output */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await run(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    options.signal?.throwIfAborted();
    const { code, stdout = "", stderr = "" } = error as Failure;
    const output = `${stdout}\n${stderr}`.trim().split("\n").slice(-8).join("\n");
    const message = `${command} failed (${String(code ?? "unknown")}).\n${output}`.trim();
    throw new AppError("stack_failed", message, { cause: error });
  }
}

/** The user that a program runs as; only root may choose it. */
export interface ProcessOwner {
  readonly uid: number;
  readonly gid: number;
}

const isRoot = (): boolean => process.getuid?.() === 0;

async function findUser(name: string): Promise<ProcessOwner | null> {
  const idOf = async (flag: "-u" | "-g"): Promise<number> =>
    Number((await runCommand("id", [flag, name])).stdout);
  return Promise.all([idOf("-u"), idOf("-g")]).then(
    ([uid, gid]) => ({ uid, gid }),
    () => null,
  );
}

/** A system user, created where it is missing; null where that is not possible. Only for root. */
async function ensureUser(name: string): Promise<ProcessOwner | null> {
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

const POSTGRES_USER = "postgres";

/** The user for Postgres, which refuses to run as root; created where it is missing. Null unless we are root. */
export async function postgresOwner(): Promise<ProcessOwner | null> {
  if (!isRoot()) return null;
  const user = await ensureUser(POSTGRES_USER);
  if (user !== null) return user;
  throw new AppError(
    "stack_failed",
    `Postgres cannot run as root and the user ${POSTGRES_USER} could not be created: create it, start as another user, or set DATABASE_URL.`,
  );
}

const SERVICE_USER = "porting";

/** Run as the user: exits with the reason where something is closed to it. */
const PROBE = `
const { accessSync, constants } = require("node:fs");
const { createServer } = require("node:net");
const { files, folders, host, ports } = JSON.parse(process.argv[1]);
process.on("uncaughtException", ({ message }) => { console.error(message); process.exit(1); });
for (const file of files) accessSync(file, constants.R_OK);
for (const folder of folders) accessSync(folder, constants.W_OK | constants.X_OK);
for (const port of ports) {
  const server = createServer().listen({ host, port }, () => server.close());
  server.on("error", (error) => { if (error.code === "EACCES") throw error; });
}`;

const FIND = `command -v "$1" > /dev/null || { echo "$1 cannot be found"; exit 1; }`;

export interface OwnerNeeds {
  /** Programs by name or path, files and folders that must be readable. */
  readonly files: readonly string[];
  /** Folders that must be writable; what root owns there is given to the user. */
  readonly folders: readonly string[];
  readonly host: string;
  readonly ports: readonly number[];
}

/**
 * The user for Kafka, the registry and the services where we are root: `porting`, created where it is missing. Null where
 * we are not root; also, with a line that says why, where that user cannot be created or cannot run everything.
 */
export async function serviceOwner(
  needs: OwnerNeeds,
  log: (line: string) => void,
): Promise<ProcessOwner | null> {
  if (!isRoot()) return null;
  const user = await ensureUser(SERVICE_USER);
  const why =
    user === null ? `the user ${SERVICE_USER} cannot be created` : await refusal(needs, user);
  if (why === null) return user;
  log(`Kafka, the registry and the services run as root: ${why}`);
  for (const folder of needs.folders) if (isOf(folder, user?.uid)) giveFolder(folder, null);
  return null;
}

/** Why the user cannot run everything; null where it can. */
async function refusal(needs: OwnerNeeds, user: ProcessOwner): Promise<string | null> {
  try {
    for (const folder of needs.folders) if (isOf(folder, 0)) giveFolder(folder, user);
    await probe(needs, user);
    return null;
  } catch (error) {
    const lines = error instanceof Error ? error.message.split("\n") : [];
    // The first line names the program, the last is what it printed.
    return lines.at(-1) ?? "no reason";
  }
}

/** A missing folder is root's, who would create it. */
function isOf(folder: string, uid: number | undefined): boolean {
  return (statSync(folder, { throwIfNoEntry: false })?.uid ?? 0) === uid;
}

async function probe(needs: OwnerNeeds, user: ProcessOwner): Promise<void> {
  for (const program of needs.files.filter((one) => !isAbsolute(one))) {
    await runCommand("/bin/sh", ["-c", FIND, "sh", program], user);
  }
  const files = [
    join(projectRoot, "services", "api", "main.ts"),
    join(projectRoot, "node_modules", "pg", "package.json"),
    ...needs.files.filter(isAbsolute),
  ];
  await runCommand(process.execPath, ["-e", PROBE, JSON.stringify({ ...needs, files })], user);
}

/** The options that Postgres, Kafka and the registry share. */
export interface PartOptions {
  readonly dataDir: string;
  readonly pidFiles: PidFiles;
  readonly log: (line: string) => void;
  /** Who runs Kafka and the registry; null: we ourselves. Postgres has a user of its own. */
  readonly owner: ProcessOwner | null;
  /** Aborted when the stack stops. */
  readonly signal: AbortSignal;
}
