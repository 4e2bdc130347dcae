import type { Counter, Gauge } from "prom-client";
import { AppError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { startPeriodic, type Periodic } from "../periodic.ts";
import { createPool, type PoolOptions } from "./pool.ts";
import { MARK_ON_REPLICA, MARK_PRIMARY } from "./primary-mark.ts";
import { withLoginOf } from "./read-replica-config.ts";
import { ReplicaLag } from "./replica-lag.ts";
import { queryRows, type Queryable } from "./transaction.ts";

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

export interface LaggingReadsOptions {
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
}

/** Reads on the replica that the configuration names; without one, on the primary. */
export function openLaggingReads(options: LaggingReadsOptions): LaggingReads {
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

export interface ReplicaReadsOptions {
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
