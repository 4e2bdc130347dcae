import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AppError } from "../../services/platform/errors.ts";
import { writeFileAtomically } from "../atomic-file.ts";
import { reachableBinaries } from "../local-stack/postgres-server.ts";
import { postgresOwner, type ProcessOwner } from "../local-stack/process-owner.ts";
import { freePort } from "../start/supervisor/ports.ts";
import { until } from "../start/supervisor/until.ts";
import { watchedCommand } from "../start/supervisor/processes.ts";
import { copyData, flush } from "./copy-data.ts";
import { restoreCommand } from "./wal-archive.ts";

function pathIn(dataDir: string): string {
  return join(dataDir, "restored");
}

/** Notes that the database of the folder is restored and not yet reconciled with the topics. */
function markRestored(dataDir: string): void {
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

const ERROR_LENGTH = 4_000;
/** The line of `postmaster.pid` with the server's status, from 0. */
const STATUS_LINE = 7;

export interface RestoreOptions {
  /** A folder that `baseBackup` made. */
  readonly base: string;
  readonly walArchive: string;
  /** The DATA_DIR for `npm start`; may contain anything but a database. */
  readonly dataDir: string;
  /** The last instant whose commits are restored; null: everything in the archive. */
  readonly until: Date | null;
  /** How long the recovery may take. */
  readonly timeoutMs: number;
}

/**
 * Creates the data folder from a base backup and recovers it, so that the next start finds a clean database.
 * The folder gets its name only then: an interrupted restore starts over.
 * @throws `invalid_state` where there is a database already; `stack_failed` with the server's last output
 */
export async function restore(options: RestoreOptions): Promise<{ readonly data: string }> {
  const { base, dataDir } = options;
  if (!existsSync(join(base, "backup_label"))) {
    throw new AppError("invalid_state", `${base} is not a finished base backup.`);
  }
  const folder = join(resolve(dataDir), "postgres");
  const data = join(folder, "data");
  if (existsSync(data)) throw new AppError("invalid_state", `${data} exists already.`);
  const owner = await postgresOwner();
  mkdirSync(resolve(dataDir), { recursive: true, mode: 0o755 });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const draft = join(folder, "data.restore");
  await rm(draft, { recursive: true, force: true });
  await copyData(resolve(base), draft, { owner });
  await writeFile(join(draft, "recovery.signal"), "", { mode: 0o600 });
  if (owner !== null) chownSync(join(draft, "recovery.signal"), owner.uid, owner.gid);
  await recover({ ...options, folder, draft, owner });
  markRestored(dataDir);
  await rename(draft, data);
  await flush(folder);
  return { data };
}

interface Recovery extends RestoreOptions {
  readonly folder: string;
  readonly draft: string;
  readonly owner: ProcessOwner | null;
}

async function recover(recovery: Recovery): Promise<void> {
  const { folder, draft, owner, timeoutMs } = recovery;
  const server = await startServer(recovery);
  let output = "";
  server.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let hasEnded = false;
  const ended = once(server, "exit")
    .catch((error: unknown) => (output += String(error)))
    .then(() => (hasEnded = true));
  const isOver = async (): Promise<boolean> => hasEnded || isReady(draft);
  try {
    await until(isOver, { timeoutMs, what: `the recovery in ${folder}` });
  } finally {
    server.kill("SIGINT");
    await ended;
  }
  const isRecovered = !existsSync(join(draft, "recovery.signal"));
  if (isRecovered && !existsSync(join(draft, "postmaster.pid"))) return;
  const user = owner === null ? "" : ` (it runs as uid ${owner.uid})`;
  throw new AppError("stack_failed", `The recovery failed${user}.\n${output.slice(-ERROR_LENGTH)}`);
}

async function startServer(recovery: Recovery): Promise<ChildProcess> {
  const { folder, draft, owner, walArchive } = recovery;
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(await freePort()),
    unix_socket_directories: "",
    max_connections: "200",
    // No connections before the end, so that "ready" means recovered.
    hot_standby: "off",
    archive_mode: "off",
    restore_command: restoreCommand(resolve(walArchive)),
    recovery_target_action: "promote",
    ...(recovery.until === null ? {} : { recovery_target_time: postgresTime(recovery.until) }),
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const program = {
    command: join(reachableBinaries(folder, owner), "postgres"),
    args: ["-D", draft, ...args],
  };
  const { command, args: watched } = watchedCommand(program, { stop: "SIGINT", force: "SIGQUIT" });
  return spawn(command, watched, {
    cwd: dirname(draft),
    env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
    ...(owner === null ? {} : owner),
  });
}

/** In the format of the setting, which does not accept `Z`. */
function postgresTime(instant: Date): string {
  return instant.toISOString().replace("T", " ").replace("Z", "+00");
}

/** Reads the file that the server writes: without the password no client can connect. */
async function isReady(data: string): Promise<boolean> {
  const status = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  return status.split("\n")[STATUS_LINE]?.trim() === "ready";
}

/**
 * What a data folder has beside the database, and what a restored one is without it. The book names each
 * (docs/operations.md, Backup and restore).
 */
export const KEPT_FILES = {
  "postgres-password": "the commands cannot log in",
  "secrets.key": "encrypted values are lost, and API and desk do not start",
  "kafka-users.json": "every user of Kafka, the carriers' too, gets a new password",
  "registry-logins.json": "the users of the schema registry get new passwords",
  "bootstrap.json": "the first account's key and the first operator's token are issued again",
  documents: "customers' documents are gone",
} as const;

/** What to copy into a restored folder, for its operator. */
export function keptFilesLines(): string[] {
  return [
    "Copy these into it first; without",
    ...Object.entries(KEPT_FILES).map(([name, loss]) => `  ${name.padEnd(22)}${loss}`),
  ];
}
