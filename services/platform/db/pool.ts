import pg from "pg";
import { driverUrl } from "./driver-url.ts";
import { DividedPool } from "./divided-pool.ts";
import type { Logger } from "../logger.ts";

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
export const LOCK_SESSION_IDLE_MS = 4_000;

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
