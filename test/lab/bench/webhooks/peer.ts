import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import pg from "pg";
import { startLocalStack, type LocalStack } from "../../../../infra/local-stack/local-stack.ts";
import { projectRoot } from "../../../../infra/project-root.ts";
import { freePort } from "../../../../infra/start/supervisor/ports.ts";
import { watchedCommand } from "../../../../infra/start/supervisor/processes.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { toStorable } from "../../../../services/domain/event/rules/storable-event.ts";
import { newSigningSecret } from "../../../../services/domain/webhook/rules/signature.ts";
import { freshEvent } from "../../../support/orders/event-factory.ts";
import { requireProgram } from "../../../support/programs/debian-program.ts";
import { TEST_LOGINS } from "../../../support/stack/database-access.ts";
import { BenchChild } from "./receiver.ts";
import { countTransactions, readBloat, storedBytes, type Bloat } from "./usage.ts";
import type { Pace, SystemContext, SystemName, WebhookSystem } from "./system.ts";

const PEERS_FOLDER = join(projectRoot, "test", "lab", "bench", "webhooks", "peers");

const lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string() }).loose()),
});
const manifest = z.object({ dependencies: z.record(z.string(), z.string()) });

/** The versions in a folder's node_modules; null where npm has not finished there. */
function installed(): ReadonlyMap<string, string> | null {
  const path = join(PEERS_FOLDER, "node_modules", ".package-lock.json");
  try {
    const { packages } = lock.parse(JSON.parse(readFileSync(path, "utf8")));
    return new Map(
      Object.entries(packages).map(([at, { version }]) => [
        at.replace(/^node_modules\//, ""),
        version,
      ]),
    );
  } catch {
    return null;
  }
}

/** The exact versions to measure. */
function peerVersions(): ReadonlyMap<string, string> {
  const text = readFileSync(join(PEERS_FOLDER, "package.json"), "utf8");
  return new Map(Object.entries(manifest.parse(JSON.parse(text)).dependencies));
}

/** Installs the peers' packages where they are missing. @throws npm's error where that fails */
export function ensurePeerPackages(log: (line: string) => void): void {
  const found = installed();
  if ([...peerVersions()].every(([name, version]) => found?.get(name) === version)) return;
  log("installing the peers' packages …");
  // From the lockfile; unlike `npm ci` it does not fail where a registry lacks a native build for another platform.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, stderr, error } = spawnSync("npm", args, { cwd: PEERS_FOLDER, encoding: "utf8" });
  if (status === 0) return;
  rmSync(join(PEERS_FOLDER, "node_modules"), { recursive: true, force: true });
  const problem =
    error?.message ?? stderr.split("\n").find((line) => /error (?!code)\S/u.test(line)) ?? stderr;
  throw new Error(`the peers' packages cannot be installed: ${problem}`);
}

const START_MS = 10_000;

interface Redis {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** How often the file to which Redis appends every write is flushed to disk. */
type Flushed = "everysec" | "always";

/** The run's own Redis. */
async function startRedis(folder: string, appendfsync: Flushed): Promise<Redis> {
  requireProgram("redis-server");
  const [port, dir] = [await freePort(), join(folder, "redis")];
  mkdirSync(dir, { recursive: true });
  const settings = { port, bind: "127.0.0.1", dir, save: "", appendonly: "yes", appendfsync };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const signals = { stop: "SIGTERM", force: "SIGKILL" } as const;
  const program = watchedCommand({ command: "redis-server", args }, signals);
  const stdio = ["pipe", "ignore", "ignore"] as const;
  const child = spawn(program.command, program.args, { detached: true, stdio: [...stdio] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await until(() => answers(port), { timeoutMs: START_MS, what: "Redis to answer" });
  return {
    pid: child.pid ?? 0,
    port,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      child.stdin.end("\n");
    },
  };
}

const DELIVERIES = `create table deliveries (id uuid primary key, event_id uuid not null, endpoint smallint not null,
  status text not null, completed_at timestamptz not null, attempt_log jsonb not null)`;

const answered = z.array(z.tuple([z.string(), z.number()]));
const counted = z.object({ count: z.coerce.number() });

export type PeerName = Exclude<SystemName, "ours">;

interface PeerKind {
  /** The peer's module in the folder of the peers. */
  readonly program: string;
  /** Null for a peer without Redis. */
  readonly redis: Flushed | null;
}

const KINDS: Readonly<Record<PeerName, PeerKind>> = {
  "graphile-worker": { program: "graphile-worker", redis: null },
  "pg-boss": { program: "pg-boss", redis: null },
  bullmq: { program: "bullmq", redis: "everysec" },
  "bullmq, flushed": { program: "bullmq", redis: "always" },
};

/** A third-party job queue with the smallest job that does the same, and a Postgres configured like ours. */
export async function startPeer(name: PeerName, context: SystemContext): Promise<WebhookSystem> {
  const { folder, log } = context;
  const elsewhere = { kafkaBrokers: "none", registryUrl: "none" };
  const stack = await startLocalStack({
    dataDir: folder,
    log,
    existing: elsewhere,
    ...TEST_LOGINS,
  });
  const started: { stop(): Promise<void> }[] = [stack];
  const undo = async (): Promise<void> => {
    for (const part of started.toReversed()) await part.stop();
  };
  try {
    const { databaseUrl } = stack.addresses;
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
    // Postgres may end a connection that is just being closed.
    pool.on("error", () => undefined);
    started.push({ stop: () => pool.end() });
    await pool.query(DELIVERIES);
    const kind = KINDS[name];
    const redis = kind.redis === null ? null : await startRedis(folder, kind.redis);
    if (redis !== null) started.push(redis);
    const secrets = context.endpoints.map(() => newSigningSecret());
    const env = {
      PEER_SETTINGS: JSON.stringify(settingsOf({ databaseUrl, redis, secrets, context })),
    };
    const path = join(PEERS_FOLDER, "program.mjs");
    const publisher = await BenchChild.start({ path, args: [kind.program, "publisher"], env });
    started.push(publisher);
    const worker = await BenchChild.start({ path, args: [kind.program, "worker"], env });
    started.push(worker);
    return new Peer({ name, stack, pool, redis, publisher, worker, secrets, stop: undo });
  } catch (error) {
    await undo();
    throw error;
  }
}

interface Settings {
  readonly databaseUrl: string;
  readonly redis: Redis | null;
  readonly secrets: readonly string[];
  readonly context: SystemContext;
}

function settingsOf({ databaseUrl, redis, secrets, context }: Settings): unknown {
  const { id, type, body } = toStorable(freshEvent(randomUUID()));
  const signature = join(projectRoot, "services", "domain", "webhook", "rules", "signature.ts");
  return {
    databaseUrl,
    redisPort: redis?.port ?? null,
    endpoints: context.endpoints.map((url, n) => ({ url, secret: secrets[n] })),
    signatureModule: pathToFileURL(signature).href,
    event: { id, type, body: body.toString() },
  };
}

interface PeerParts {
  readonly name: PeerName;
  readonly stack: LocalStack;
  readonly pool: pg.Pool;
  readonly redis: Redis | null;
  readonly publisher: BenchChild;
  readonly worker: BenchChild;
  readonly secrets: readonly string[];
  readonly stop: () => Promise<void>;
}

class Peer implements WebhookSystem {
  readonly name: PeerName;
  readonly processes: ReadonlyMap<number, string>;
  readonly publisherPid: number;
  readonly #parts: PeerParts;

  constructor(parts: PeerParts) {
    const { name, stack, worker, redis, publisher } = parts;
    this.name = name;
    this.publisherPid = publisher.pid;
    this.#parts = parts;
    this.processes = new Map([
      [stack.part("postgres").pid ?? 0, "postgres"],
      [worker.pid, "worker"],
      ...(redis === null ? [] : [[redis.pid, "redis"] as const]),
    ]);
  }

  async useEndpoints(count: number): Promise<void> {
    await this.#parts.publisher.ask("useEndpoints", { count });
  }

  async prepareBurst(count: number): Promise<() => Promise<void>> {
    const { publisher } = this.#parts;
    await publisher.ask("prepare", { count });
    return async () => {
      await publisher.ask("commit");
    };
  }

  async pace({ count, perSecond }: Pace): Promise<ReadonlyMap<string, number>> {
    return new Map(answered.parse(await this.#parts.publisher.ask("pace", { count, perSecond })));
  }

  /** A job's commit is all that its event costs. */
  paceCommits(pace: Pace): Promise<ReadonlyMap<string, number>> {
    return this.pace(pace);
  }

  transactions(): Promise<number> {
    return countTransactions(this.#parts.pool);
  }

  storedBytes(): Promise<number> {
    return storedBytes(this.#parts.pool);
  }

  bloat(): Promise<Bloat> {
    return readBloat(this.#parts.pool);
  }

  async recorded(): Promise<number> {
    const { rows } = await this.#parts.pool.query(
      "select count(*) from deliveries where status = 'succeeded'",
    );
    return counted.parse(rows[0]).count;
  }

  secretOf(endpoint: number): string {
    return this.#parts.secrets[endpoint] ?? "";
  }

  stop(): Promise<void> {
    return this.#parts.stop();
  }
}
