import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { AppError } from "../../services/platform/errors.ts";
import { writeFileAtomically } from "../atomic-file.ts";
import { archiveSettings } from "../backup/wal-archive.ts";
import { KeptProgram } from "../start/supervisor/kept-program.ts";
import type { Launch } from "../start/supervisor/kept-program.ts";
import type { ListenerPort } from "../start/supervisor/listener-port.ts";
import { watchedCommand } from "../start/supervisor/watched-command.ts";
import type { PartOptions } from "./part-options.ts";
import { copyPostgres, findPostgres } from "./postgres-binaries.ts";
import { firstClosedFolder, postgresOwner } from "./postgres-user.ts";
import type { ProcessOwner } from "./postgres-user.ts";
import { runCommand } from "./run-command.ts";

const SUPERUSER = "postgres";
const DATABASE = "porting";

export interface PostgresOptions extends PartOptions {
  readonly port: ListenerPort;
  /** False: nothing is flushed to disk, for databases that may be lost. */
  readonly durable: boolean;
  /** Where the write-ahead log is archived for restores; null: nowhere. */
  readonly walArchive: string | null;
}

export interface PostgresPart {
  readonly program: KeptProgram;
  /** The product's database; exists once somebody has made it. */
  readonly url: () => string;
}

interface Home {
  /** Belongs to the owner; holds the data. */
  readonly folder: string;
  readonly data: string;
  readonly binaries: string;
  readonly owner: ProcessOwner | null;
  readonly password: string;
}

function reachableBinaries(folder: string, owner: ProcessOwner | null): string {
  const native = findPostgres();
  const reachable = owner === null || firstClosedFolder(join(native, "bin"), owner) === null;
  return join(reachable ? native : copyPostgres(native, folder), "bin");
}

function prepareArchive(folder: string, owner: ProcessOwner | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  requireSearchable(folder, owner);
}

function requireSearchable(dataDir: string, owner: ProcessOwner | null): void {
  const closed = owner === null ? null : firstClosedFolder(dataDir, owner);
  if (closed === null) return;
  throw new AppError(
    "stack_failed",
    `Started by root, Postgres runs as the user ${SUPERUSER}, who may not enter ${closed}: set DATA_DIR to a folder that everybody can reach (such as /var/lib/number-porting), or allow it with chmod o+x ${closed}.`,
  );
}

function keptPassword(dataDir: string, hasData: boolean): string {
  const path = join(dataDir, "postgres-password");
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  if (hasData) {
    throw new AppError(
      "stack_failed",
      `The password of the database in ${dataDir} is gone: put ${path} back, or remove ${dataDir}.`,
    );
  }
  const password = randomBytes(24).toString("hex");
  writeFileAtomically(path, `${password}\n`, 0o600);
  return password;
}

async function prepareHome(dataDir: string): Promise<Home> {
  const owner = await postgresOwner();
  requireSearchable(dataDir, owner);
  const folder = join(dataDir, "postgres");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const password = keptPassword(dataDir, existsSync(data));
  return { folder, data, binaries: reachableBinaries(folder, owner), owner, password };
}

/** Makes the cluster beside its place and moves it there, so that an interrupted one is made again. */
async function initialise(
  { folder, data, binaries, owner, password }: Home,
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

function settings(port: number, durable: boolean, walArchive: string | null): string[] {
  const values = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    log_line_prefix: "%m [%p] ",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...(walArchive === null ? {} : archiveSettings(walArchive)),
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Runs something on one short connection. */
export async function withConnection<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The same server's URL for another database. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}

/** Makes a database where it is missing; two at once are no error. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  await withConnection(serverUrl, async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rows.length > 0) return;
    await client
      .query(`create database ${client.escapeIdentifier(name)}`)
      .catch((error: unknown) => {
        const duplicate =
          error instanceof pg.DatabaseError && ["42P04", "23505"].includes(error.code ?? "");
        if (!duplicate) throw error;
      });
  });
}

/** Makes the cluster where there is none and the program that keeps its server running; starts nothing. */
export async function preparePostgres(options: PostgresOptions): Promise<PostgresPart> {
  const { dataDir, port, durable, walArchive, signal, pidFiles, log } = options;
  const home = await prepareHome(dataDir);
  if (walArchive !== null) prepareArchive(walArchive, home.owner);
  await initialise(home, signal);
  const url = (database: string): string =>
    `postgresql://${SUPERUSER}:${home.password}@127.0.0.1:${port.number}/${database}`;
  const launch = async (): Promise<Launch> => {
    const args = ["-D", home.data, ...settings(await port.moveIfTaken(), durable, walArchive)];
    const command = { command: join(home.binaries, "postgres"), args };
    return {
      ...watchedCommand(command, { stop: "SIGINT", force: "SIGQUIT" }),
      env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
      cwd: home.folder,
      ...(home.owner === null ? {} : { owner: home.owner }),
    };
  };
  const program = new KeptProgram({
    name: "postgres",
    logPath: join(dataDir, "logs", "postgres.log"),
    pidFiles,
    stopSignal: "SIGINT",
    log,
    // Backends of a killed server may hold its shared memory for moments.
    passing: /another postmaster|shared memory block/,
    launch,
    isReady: async () => {
      await withConnection(url("postgres"), (client) => client.query("select 1"));
      port.settle();
      return true;
    },
  });
  return { program, url: () => url(DATABASE) };
}
