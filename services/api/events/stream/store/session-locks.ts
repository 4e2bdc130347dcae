import pg from "pg";
import { databaseFault } from "../../../../platform/db/database-fault.ts";
import {
  connectionSettings,
  LOCK_SESSION_SETTINGS,
  type ConnectionOptions,
} from "../../../../platform/db/pool.ts";
import type { Logger } from "../../../../platform/logger.ts";

const ANSWER_MS = 4_000;
/** The hash seed that keeps these names apart from other locks. */
const SEED = 7_202_614;

// A set-returning function is read row by row, so nothing is locked after the first success.
const TAKE_FIRST = `select u.name from unnest($1::text[]) u (name)
  where pg_try_advisory_lock(hashtextextended(u.name, ${SEED})) limit 1`;
const RELEASE = `select pg_advisory_unlock(hashtextextended($1, ${SEED}))`;

export interface SessionLockOptions extends ConnectionOptions {
  readonly log: Logger;
  /** Called at most once per lost connection, when all locks are lost with it. */
  readonly onLost: () => void;
}

/** A lock that holds until it is released, the connection is lost or the process ends in any way. */
export interface SessionLock {
  readonly name: string;
  release(): Promise<void>;
}

/**
 * Named locks across processes, held on one dedicated connection per process: Postgres releases them with it, so that a
 * killed or frozen process leaves none behind. Connects when the first lock is taken.
 */
export class SessionLocks {
  readonly #options: SessionLockOptions;
  readonly #locks = new Set<string>();
  #client: pg.Client | null = null;
  #stopped = false;
  /** Operations run one at a time: a session can take its own lock twice, so the held names must be known. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SessionLockOptions) {
    this.#options = options;
  }

  /** Takes the first of the names that is free; null if all are held. @throws `database_unavailable` */
  takeFirst(names: readonly string[]): Promise<SessionLock | null> {
    return this.#serialize(async () => {
      const free = names.filter((name) => !this.#locks.has(name));
      if (free.length === 0) return null;
      const client = this.#client ?? (await this.#open());
      const query = { name: "lock-take-first", text: TAKE_FIRST, values: [free] };
      const { rows } = await this.#ask(client, () => client.query<{ name: string }>(query));
      const [taken] = rows;
      if (taken === undefined || this.#client !== client) return null;
      this.#locks.add(taken.name);
      return { name: taken.name, release: () => this.#release(client, taken.name) };
    });
  }

  /**
   * Checks that the locks are still held; if that cannot be determined, they are treated as lost. Call it every second:
   * the server ends a session that is idle for longer (LOCK_SESSION_IDLE_MS), as that of a frozen process is.
   */
  async check(): Promise<void> {
    if (this.#client === null) return;
    await this.#serialize(async () => {
      const client = this.#client;
      if (client !== null) await this.#ask(client, () => client.query("select 1"));
    });
  }

  /** Releases all locks; no more can be taken. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#last;
    const client = this.#client;
    this.#client = null;
    this.#locks.clear();
    await client?.end();
  }

  async #serialize<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #release(client: pg.Client, name: string): Promise<void> {
    return this.#serialize(async () => {
      if (this.#client !== client) return;
      const query = { name: "lock-release", text: RELEASE, values: [name] };
      await this.#ask(client, () => client.query(query));
      this.#locks.delete(name);
    });
  }

  async #open(): Promise<pg.Client> {
    if (this.#stopped) throw databaseFault(new Error("Connection terminated by the stop"));
    const { service } = this.#options;
    const client = new pg.Client({
      ...connectionSettings({
        ...this.#options,
        service: `${service}-locks`,
        settings: LOCK_SESSION_SETTINGS,
      }),
      query_timeout: ANSWER_MS,
    });
    client.on("error", (error) => this.#lose(client, error));
    client.on("end", () => this.#lose(client, null));
    this.#client = client;
    await this.#ask(client, () => client.connect());
    return client;
  }

  /** After a failure it is unknown which locks are held, so the connection is dropped. */
  async #ask<T>(client: pg.Client, asked: () => Promise<T>): Promise<T> {
    try {
      return await asked();
    } catch (error) {
      this.#lose(client, error);
      throw databaseFault(error);
    }
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    const lost = this.#locks.size;
    this.#locks.clear();
    client.end().catch(() => undefined);
    if (lost === 0) return;
    this.#options.log.warn({ err: error, locks: lost }, "the connection that holds locks was lost");
    this.#options.onLost();
  }
}
