import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { baseBackup } from "../../../infra/backup/base-backup.ts";
import { copyData } from "../../../infra/backup/copy-data.ts";
import { databaseUrl, withConnection } from "../../../infra/local-stack/postgres.ts";
import { reachableBinaries } from "../../../infra/local-stack/postgres-server.ts";
import { postgresOwner } from "../../../infra/local-stack/process-owner.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { KeptProgram } from "../../../infra/start/supervisor/kept-program.ts";
import { PidFiles } from "../../../infra/start/supervisor/pid-files.ts";
import { signalProcess, watchedCommand } from "../../../infra/start/supervisor/processes.ts";
import { descendantsOf } from "../programs/npm-start.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";

const START_MS = 30_000;

/** A streaming replica of a Postgres of the tests. */
export interface Standby {
  /** Without a login. */
  readonly url: string;
  /** With the owner's. */
  readonly ownerUrl: string;
  /** To kill, pause or stop it. */
  readonly program: KeptProgram;
  /** It receives what the primary writes, and shows none of it, until `resumeReplay`. */
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  /** Makes it a primary, beside the one that it followed. */
  promote(): Promise<void>;
  /** Stops every process of the server where it is, so that its clients get no answer, until `thaw` (Linux only). */
  freeze(): void;
  thaw(): void;
}

/** Starts a replica of a server that archives its log; stopped after the tests. `url` is the owner's. */
export async function startStandby(url: string): Promise<Standby> {
  const folder = temporaryFolder("standby");
  const data = await copyPrimary(url, folder);
  const port = await freePort();
  const owned = new URL(url);
  owned.port = String(port);
  const program = standbyProgram(new URL(url), { folder, data, port });
  endAfterTests(() => program.stop(0));
  program.start();
  await program.whenReady(START_MS);
  const run = (text: string): Promise<void> =>
    withConnection(databaseUrl(owned.href, "postgres"), (client) =>
      client.query(text).then(() => undefined),
    );
  const open = new URL(owned);
  open.username = "";
  open.password = "";
  return {
    url: open.href,
    ownerUrl: owned.href,
    program,
    pauseReplay: () => run("select pg_wal_replay_pause()"),
    resumeReplay: () => run("select pg_wal_replay_resume()"),
    promote: () => run("select pg_promote()"),
    freeze: () => signalAll(program, "SIGSTOP"),
    thaw: () => signalAll(program, "SIGCONT"),
  };
}

/** Each backend is in a process group of its own. */
function signalAll({ pid }: KeptProgram, signal: NodeJS.Signals): void {
  if (pid === null) return;
  for (const one of [pid, ...descendantsOf(pid).map((process) => process.pid)]) {
    signalProcess(one, signal);
  }
}

/** A copy of the primary's data, which its server starts as a standby. */
async function copyPrimary(url: string, folder: string): Promise<string> {
  const owner = await postgresOwner();
  const { folder: base } = await baseBackup(url, join(folder, "base"), new Date());
  const home = join(folder, "postgres");
  mkdirSync(home, { mode: 0o700 });
  if (owner !== null) chownSync(home, owner.uid, owner.gid);
  const data = join(home, "data");
  await copyData(base, data, { owner });
  const signal = join(data, "standby.signal");
  writeFileSync(signal, "", { mode: 0o600 });
  if (owner !== null) chownSync(signal, owner.uid, owner.gid);
  return data;
}

interface StandbyPlace {
  readonly folder: string;
  readonly data: string;
  readonly port: number;
}

function standbyProgram(primary: URL, { folder, data, port }: StandbyPlace): KeptProgram {
  const { hostname, username, password } = primary;
  const settings = {
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    max_connections: "200",
    max_wal_senders: "40",
    archive_mode: "off",
    fsync: "off",
    primary_conninfo: `host=${hostname} port=${primary.port} user=${username} password=${password}`,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const ready = new URL(primary);
  ready.port = String(port);
  return new KeptProgram({
    name: "standby",
    logPath: join(folder, "standby.log"),
    pidFiles: new PidFiles(join(folder, "run")),
    stopSignal: "SIGINT",
    log: () => undefined,
    transient: /another postmaster|shared memory block/,
    launch: async () => {
      const owner = await postgresOwner();
      const binaries = reachableBinaries(join(folder, "postgres"), owner);
      const command = { command: join(binaries, "postgres"), args: ["-D", data, ...args] };
      return {
        ...watchedCommand(command, { stop: "SIGINT", force: "SIGQUIT" }),
        env: { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" },
        cwd: join(folder, "postgres"),
        owner,
      };
    },
    isReady: async () => {
      await withConnection(ready.href, (client) => client.query("select 1"));
      return true;
    },
  });
}
