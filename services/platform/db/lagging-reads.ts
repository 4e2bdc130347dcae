import type { Counter, Gauge } from "prom-client";
import { durationMs, url } from "../config.ts";
import { AppError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { startPeriodic, type Periodic } from "../periodic.ts";
import { createPool, type PoolOptions } from "./pool.ts";
import { queryRows, type Queryable } from "./transaction.ts";

/** A position of the primary's write-ahead log, in bytes since its beginning, and when it had been reached, in ms. */
interface Mark {
  readonly position: number;
  readonly at: number;
}

/**
 * How far a replica lags, by positions of the primary's log and when the primary was seen at them: of no use are the
 * time of its last transaction, which is old on an idle primary, and what it has received, once the primary is gone.
 */
export class ReplicaLag {
  readonly #limitMs: number;
  /** What the replica has yet to reach, oldest first. */
  #ahead: Mark[] = [];
  /** The replica has everything that was committed before this time. */
  #upToDateAt = -Infinity;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** The primary had reached the position at this time or later. */
  primaryAt(position: number, at: number): void {
    // Reaching what is older than the limit would not make the replica usable.
    this.#ahead = this.#ahead.filter((mark) => at - mark.at < this.#limitMs);
    this.#ahead.push({ position, at });
  }

  replicaAt(position: number): void {
    const reached = this.#ahead.findLastIndex((mark) => mark.position <= position);
    const mark = this.#ahead[reached];
    if (mark === undefined) return;
    this.#upToDateAt = mark.at;
    this.#ahead = this.#ahead.slice(reached + 1);
  }

  /** Nothing is known of the replica any more. */
  forget(): void {
    this.#ahead = [];
    this.#upToDateAt = -Infinity;
  }

  /** At most so long ago was committed what the replica lacks; Infinity where that is unknown. */
  msAt(now: number): number {
    return now - this.#upToDateAt;
  }

  isWithinLimitAt(now: number): boolean {
    return this.msAt(now) < this.#limitMs;
  }
}

/** Settings of a service with reads that may lag. */
export const readReplicaShape = {
  /** A streaming replica for them; absent: they use the primary. */
  DATABASE_READ_URL: url(["postgres", "postgresql"]).optional(),
  /** How far the replica may lag before the primary is used in its place. */
  DATABASE_READ_MAX_LAG: durationMs("10s"),
};

/** The replica's URL; one without a user has the login of the primary. */
export function withLoginOf(primaryUrl: string, replicaUrl: string): string {
  const replica = new URL(replicaUrl);
  if (replica.username !== "") return replicaUrl;
  const { username, password } = new URL(primaryUrl);
  replica.username = username;
  replica.password = password;
  return replica.href;
}

/**
 * SQL of a primary: its mark, which was made since it was started or promoted; null where there is none yet, and on a
 * replica.
 */
export const MARK_OF_PRIMARY = "messaging.primary_mark()";

/** The same; a primary without a mark gets one. */
const MARK_PRIMARY = "messaging.mark_primary()";

/**
 * SQL of a replica: the mark that has reached it. Where that is the primary's, it follows this primary, whose log it has
 * up to there; a replica of the one before a failover never gets it, however far its own log goes.
 */
export const MARK_ON_REPLICA = "(select p.mark from messaging.primary_server p)";

const CHECK_MS = 1_000;

/** Reads that may miss what was committed in the last moments. */
export interface LaggingReads {
  /**
   * Runs a read on the replica while it keeps up, else, and where the replica fails, on the primary. `hasSeen` is asked
   * of the replica first: false where it lacks what this reader must not miss.
   */
  run<T>(
    read: (db: Queryable) => Promise<T>,
    hasSeen?: (replica: Queryable) => Promise<boolean>,
  ): Promise<T>;
  stop(): Promise<void>;
}

/** Reads on the replica that the configuration names; without one, on the primary. */
export function openLaggingReads(options: {
  readonly config: {
    readonly DATABASE_URL: string;
    readonly DATABASE_READ_URL?: string | undefined;
    readonly DATABASE_READ_MAX_LAG: number;
  };
  readonly primary: Queryable;
  /** Of the replica's connections. */
  readonly pool: Pick<PoolOptions, "role" | "service" | "size"> & {
    /** How long a connection or a statement may take before the primary is used. */
    readonly patienceMs: number;
  };
  readonly log: Logger;
  readonly metrics: Metrics;
}): LaggingReads {
  const { config, primary, pool, log, metrics } = options;
  const { DATABASE_URL: primaryUrl, DATABASE_READ_URL: replicaUrl } = config;
  if (replicaUrl === undefined) return primaryReads(primary);
  const { patienceMs } = pool;
  const replica = createPool({
    ...pool,
    url: withLoginOf(primaryUrl, replicaUrl),
    statementTimeoutMs: patienceMs,
    log,
  });
  const limitMs = config.DATABASE_READ_MAX_LAG;
  const reads = new ReplicaReads({ primary, replica, limitMs, log, metrics });
  return {
    run: (read, hasSeen) => reads.run(read, hasSeen),
    stop: async () => {
      await reads.stop();
      await replica.end();
    },
  };
}

/** Without a replica. */
export function primaryReads(primary: Queryable): LaggingReads {
  return { run: (read) => read(primary), stop: () => Promise.resolve() };
}

interface ReplicaReadsOptions {
  readonly primary: Queryable;
  readonly replica: Queryable;
  readonly limitMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly everyMs?: number;
}

/** How far a server has come in the log of the primary with the mark. */
interface LogProgress {
  /** Null on a server that is not a replica, or not one by a log. */
  readonly position: number | null;
  readonly mark: string | null;
}

const PRIMARY_AT = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position,
  ${MARK_PRIMARY} as mark`;
const REPLICA_AT = `select case when pg_is_in_recovery()
  then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 end as position,
  ${MARK_ON_REPLICA} as mark`;

/** Chooses between primary and replica by the replica's lag, which it measures every second. */
export class ReplicaReads {
  readonly #options: ReplicaReadsOptions;
  readonly #lag: ReplicaLag;
  readonly #checking: Periodic;
  readonly #reads: Counter<"database">;
  readonly #lagSeconds: Gauge;
  #wasUsable: boolean | null = null;

  constructor(options: ReplicaReadsOptions) {
    const { limitMs, metrics, log, everyMs = CHECK_MS } = options;
    this.#options = options;
    this.#lag = new ReplicaLag(limitMs);
    this.#reads = metrics.counter({
      name: "lagging_reads_total",
      help: "Reads that may lag, by the database that answered them: replica or primary",
      labels: ["database"],
    });
    this.#lagSeconds = metrics.gauge({
      name: "replica_lag_seconds",
      help: "The most that the replica lags behind the primary; -1 where that is unknown",
    });
    const name = "the replica's lag";
    this.#checking = startPeriodic({ name, everyMs, run: () => this.#check(), log });
  }

  async run<T>(
    read: (db: Queryable) => Promise<T>,
    hasSeen: (replica: Queryable) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<T> {
    const { primary, replica, log } = this.#options;
    if (this.#lag.isWithinLimitAt(performance.now())) {
      try {
        if (await hasSeen(replica)) {
          const found = await read(replica);
          this.#reads.inc({ database: "replica" });
          return found;
        }
      } catch (error) {
        if (error instanceof AppError && !error.retryable) throw error;
        // Anything else may be the replica's alone, such as a column that has yet to reach it: the primary decides.
        if (!(error instanceof AppError))
          log.warn({ err: error }, "a read failed on the replica and is made on the primary");
        this.#lag.forget();
      }
    }
    this.#reads.inc({ database: "primary" });
    return read(primary);
  }

  async stop(): Promise<void> {
    await this.#checking.stop();
  }

  async #check(): Promise<void> {
    const error = await this.#measure().catch((fault: unknown) => fault);
    if (error !== undefined) this.#lag.forget();
    const now = performance.now();
    const lagMs = this.#lag.msAt(now);
    this.#lagSeconds.set(Number.isFinite(lagMs) ? lagMs / 1_000 : -1);
    const isUsable = this.#lag.isWithinLimitAt(now);
    if (isUsable === this.#wasUsable) return;
    this.#wasUsable = isUsable;
    const { log } = this.#options;
    if (isUsable) log.info("reads that may lag use the replica");
    else log.warn({ err: error }, "the replica is away or lags; the primary is used for all reads");
  }

  async #measure(): Promise<void> {
    const { primary, replica } = this.#options;
    const at = performance.now();
    const here = await progressOf(primary, PRIMARY_AT);
    this.#lag.primaryAt(here.position, at);
    const there = await progressOf(replica, REPLICA_AT);
    if (here.mark === null || there.mark !== here.mark)
      throw new AppError("invalid_state", STRANGE);
    this.#lag.replicaAt(there.position);
  }
}

const STRANGE =
  "The replica follows another primary, such as the one before a failover, or has yet to reach the start of this one.";

/** @throws `invalid_config` for a server that is not a replica */
async function progressOf(
  db: Queryable,
  text: string,
): Promise<LogProgress & { readonly position: number }> {
  const [row] = await queryRows<LogProgress>(db, { text });
  if (row?.position != null) return { ...row, position: row.position };
  throw new AppError("invalid_config", "DATABASE_READ_URL does not name a replica.");
}
