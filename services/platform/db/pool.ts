import pg, { type PoolClient } from "pg";
import { AsyncLocalStorage } from "node:async_hooks";
import { connectionsInUse, FairSlots } from "../fair-slots.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (destroy?: boolean | Error) => void,
) => void;

/** What a kind of work leaves to all others: a fifth of the connections. */
const LEFT_TO_OTHERS = 5;
/** With the wait for a lock, less than most clients wait for an answer. */
const SHARE_WAIT_MS = 4_000;

/** A pool that is divided between kinds of work: see `runAs`. */
export class DividedPool extends pg.Pool {
  readonly #kind = new AsyncLocalStorage<string>();
  readonly #shares = new FairSlots({
    total: Infinity,
    perOwner: Math.max(1, this.options.max - Math.ceil(this.options.max / LEFT_TO_OTHERS)),
    maxWaiting: Infinity,
    maxWaitMs: SHARE_WAIT_MS,
  });
  #reportWait: (seconds: number) => void = () => undefined;

  /** Reports how long each request for a connection has waited, with or without success, that found all in use. */
  onWaited(report: (seconds: number) => void): void {
    this.#reportWait = report;
  }

  /** Requests for a connection that wait, for one to be free or for their kind to hold fewer. */
  get waitingRequests(): number {
    return this.waitingCount + this.#shares.waitingCount;
  }

  /** Runs `work` as one of its kind: together these leave a fifth of the connections to all others. */
  runAs<T>(kind: string, work: () => Promise<T>): Promise<T> {
    return this.#kind.run(kind, work);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    const taken = this.#checkOut();
    if (callback === undefined) return taken;
    taken.then(
      (client) => {
        callback(undefined, client, client.release.bind(client));
      },
      (error: unknown) => {
        callback(error as Error, undefined, () => undefined);
      },
    );
    return undefined;
  }

  async #checkOut(): Promise<PoolClient> {
    const kind = this.#kind.getStore();
    const waited = this.#startWaiting(kind);
    try {
      if (kind === undefined) return await super.connect();
      await this.#shares.enter(kind)?.catch(connectionsInUse(kind));
      return await this.#ofShare(kind);
    } finally {
      waited?.();
    }
  }

  async #ofShare(kind: string): Promise<PoolClient> {
    let client: PoolClient;
    try {
      client = await super.connect();
    } catch (error) {
      this.#shares.leave(kind);
      throw error;
    }
    // The pool gives a client a new `release` with each check-out.
    const release = client.release.bind(client);
    client.release = (destroy) => {
      release(destroy);
      this.#shares.leave(kind);
    };
    return client;
  }

  /** Null where a connection is at hand; else what ends the wait. */
  #startWaiting(kind: string | undefined): (() => void) | null {
    const isFree = this.idleCount > 0 || this.totalCount < this.options.max;
    if (isFree && (kind === undefined || this.#shares.hasRoom(kind))) return null;
    const startedAt = performance.now();
    return () => this.#reportWait((performance.now() - startedAt) / 1_000);
  }
}

const WAIT_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Shows how busy a pool is; `name` distinguishes it from the other pools of the process. */
export function watchPool(metrics: Metrics, name: string, pool: DividedPool): void {
  const connections = metrics.gauge({
    name: "database_pool_connections",
    help: "Open connections of a pool, by whether they are in use",
    labels: ["pool", "state"],
  });
  const most = metrics.gauge({
    name: "database_pool_max_connections",
    help: "How many connections a pool may open",
    labels: ["pool"],
  });
  const waiting = metrics.gauge({
    name: "database_pool_waiting_requests",
    help: "Requests for a connection of a pool that wait because all that they may take are in use",
    labels: ["pool"],
  });
  const waited = metrics.histogram({
    name: "database_pool_wait_seconds",
    help: "How long requests for a connection of a pool have waited, of those that found all that they may take in use",
    labels: ["pool"],
    buckets: WAIT_SECONDS,
  });
  waited.zero({ pool: name });
  pool.onWaited((seconds) => waited.observe({ pool: name }, seconds));
  metrics.beforePage(() => {
    const { totalCount, idleCount, waitingRequests, options } = pool;
    connections.set({ pool: name, state: "busy" }, totalCount - idleCount);
    connections.set({ pool: name, state: "idle" }, idleCount);
    most.set({ pool: name }, options.max);
    waiting.set({ pool: name }, waitingRequests);
  });
}

/** The settings of a connection that plans each of its statements once: a plan for every call may take longer than the call. */
export const PLANNED_ONCE = ["plan_cache_mode=force_generic_plan"] as const;

/**
 * The settings of a connection whose statements find all rows by their keys: a plan that was made while a table was nearly
 * empty is kept until the next analysis, and must be the right one for a full one too. A sort would read all rows for a page
 * of them, a materialized table would be passed for each row of the other, and workers would take the cores for 20 rows.
 */
export const LOOKUPS_BY_KEY = [
  "enable_seqscan=off",
  "enable_bitmapscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "enable_sort=off",
  "enable_material=off",
  "max_parallel_workers_per_gather=0",
  ...PLANNED_ONCE,
] as const;

const INT8: number = pg.types.builtins.INT8;
const DATE: number = pg.types.builtins.DATE;
const standardParser = pg.types.getTypeParser as (oid: number, format?: "text") => unknown;

/** Counters and offsets stay far below 2^53; dates stay text, so that no time zone shifts them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text") => {
    if (oid === INT8) return Number;
    if (oid === DATE) return String;
    return standardParser(oid, format);
  }) as typeof pg.types.getTypeParser,
};

export interface ConnectionOptions {
  readonly url: string;
  readonly service: string;
  /**
   * Set on every connection at its start, and again after each `reset`; without it, the login's rights
   * apply.
   */
  readonly role?: string;
  /** Additional session settings, as `name=value`. */
  readonly settings?: readonly string[];
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a lock that another holds; default: 5 s. */
  readonly lockTimeoutMs?: number;
  /** How long the client itself waits for a connection, and for an answer; default: 5 s, and for ever. */
  readonly patienceMs?: number;
}

export interface PoolOptions extends ConnectionOptions {
  readonly size: number;
  readonly log: Logger;
}

const STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
/** A client is soon asked to try again; a message can wait longer. */
export const REQUEST_LOCK_TIMEOUT_MS = 3_000;
/** A statement that the server should have ended by then has no answer any more: the connection is silent. */
export const ANSWER_MARGIN_MS = 2_000;

/** A session that holds locks must be used more often than this. */
const LOCK_SESSION_IDLE_MS = 4_000;

/**
 * For a connection that holds locks: the server ends the session of a client that has vanished or is frozen, and so
 * releases its locks, within 4 s.
 */
export const LOCK_SESSION_SETTINGS = [
  "tcp_keepalives_idle=1",
  "tcp_keepalives_interval=1",
  "tcp_keepalives_count=2",
  "tcp_user_timeout=3000",
  `idle_session_timeout=${LOCK_SESSION_IDLE_MS}`,
];

/**
 * Plans without what a setting rules out have costs in the thousands of millions, for which a server that can would compile
 * each of them: seconds of a core for a statement that finds ten rows.
 */
const NEVER_COMPILED = "jit=off";

/**
 * The driver lets `options` in the URL replace all others, including the role, so they are moved before
 * ours.
 */
function startOptions({ url, role, settings = [] }: ConnectionOptions) {
  const connection = new URL(url);
  const given = connection.searchParams.get("options");
  connection.searchParams.delete("options");
  const ours = [...(role === undefined ? [] : [`role=${role}`]), NEVER_COMPILED, ...settings];
  return {
    connectionString: driverUrl(given === null ? url : connection.href),
    options: [...(given === null ? [] : [given]), ...ours.map((one) => `-c ${one}`)].join(" "),
  };
}

/** Settings of every connection of a service: every wait is limited, and a dead peer is detected. */
export function connectionSettings(options: ConnectionOptions): pg.ClientConfig {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  return {
    ...startOptions(options),
    application_name: options.service,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
    lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: options.patienceMs ?? 5_000,
    ...(options.patienceMs === undefined ? {} : { query_timeout: options.patienceMs }),
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types,
  };
}

/** A pool that survives the loss of its connections. */
export function createPool(options: PoolOptions): DividedPool {
  const pool = new DividedPool({
    ...connectionSettings(options),
    max: options.size,
    idleTimeoutMillis: 60_000,
  });
  pool.on("error", (err) => options.log.warn({ err }, "an idle database connection was lost"));
  // The pool does not handle errors of a checked-out client; its user gets them from the next statement.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

const ACCESS_CONNECTIONS = 2;

/**
 * For the look-up of keys, limits and readiness: who calls, and whether the database answers, is found out also while
 * every other connection is busy.
 */
export function createAccessPool(options: Omit<PoolOptions, "size">): DividedPool {
  return createPool({ ...options, size: ACCESS_CONNECTIONS });
}

/**
 * The URL as the driver has to read it: by itself it takes `require` and `prefer`, which managed Postgres puts into its URLs, for
 * `verify-full`, with a warning. Elsewhere they encrypt, and verify only by a certificate authority that the URL names.
 */
export function driverUrl(url: string): string {
  const connection = new URL(url);
  const { searchParams: settings } = connection;
  const mode = settings.get("sslmode") ?? "";
  if (!["require", "prefer", "verify-ca"].includes(mode) || settings.has("uselibpqcompat")) {
    return url;
  }
  // Without an authority, anybody may have a certificate that the public ones signed.
  if (mode === "verify-ca" && !settings.has("sslrootcert")) settings.set("sslmode", "verify-full");
  else settings.set("uselibpqcompat", "true");
  return connection.href;
}
