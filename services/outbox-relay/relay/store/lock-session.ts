import pg from "pg";
import {
  connectionSettings,
  LOCK_SESSION_IDLE_MS,
  LOCK_SESSION_SETTINGS,
} from "../../../platform/db/pool.ts";
import type { Logger } from "../../../platform/logger.ts";
import { OUTBOX_CHANNEL } from "../../../platform/outbox/outbox-hint.ts";

/** The first key of the relay's advisory locks; the second is a shard, or one of the roles below. */
const LOCK_CLASS = 7_202_612;
/** The one process that reconciles and drops partitions. */
export const RECONCILER_LOCK = 1_000;

const HEARTBEAT_MS = 1_000;
const ANSWER_MS = 2_000;
/** How long after the beginning of a heartbeat its answer holds; then the server is about to end the session. */
const TRUSTED_MS = LOCK_SESSION_IDLE_MS - 500;

const TRY_LOCKS = `select u.key from (
    select key, pg_try_advisory_lock($1, key) as taken from unnest($2::integer[]) key
  ) u where u.taken`;

export interface LockSessionOptions {
  readonly url: string;
  readonly role?: string;
  readonly service: string;
  readonly keys: readonly number[];
  readonly log: Logger;
  /** False while no lock may be taken yet. */
  readonly mayTake?: () => boolean;
  /** Called when new rows are announced or a lock is taken. */
  readonly onWake: () => void;
}

/**
 * Advisory locks that give this process exclusive use of its shards, on a separate connection that also
 * listens for notifications. Every second it takes free locks and checks the connection; losing it loses
 * all locks. So does a pause of this process, after which another one may have them: the clock shows that
 * before the connection does.
 */
export class LockSession {
  readonly #options: LockSessionOptions;
  #held: ReadonlySet<number> = new Set();
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void>;
  #stopped = false;
  #session = 0;
  /** When the last heartbeat that was answered began, by the monotonic clock. */
  #confirmedAt = -Infinity;

  constructor(options: LockSessionOptions) {
    this.#options = options;
    this.#running = this.#beat();
  }

  /** Increases with each loss: work started under another number was started under other locks. */
  get session(): number {
    this.#loseIfPaused();
    return this.#session;
  }

  holds(key: number): boolean {
    this.#loseIfPaused();
    return this.#held.has(key);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    const client = this.#client;
    this.#lose();
    await client?.end();
  }

  async #beat(): Promise<void> {
    try {
      const client = this.#client ?? (await this.#open());
      await this.#takeFree(client);
    } catch (error) {
      if (!this.#stopped) this.#options.log.warn({ err: error }, "the relay lost its locks");
      this.#discard();
    }
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#beat();
    }, HEARTBEAT_MS);
  }

  async #open(): Promise<pg.Client> {
    const { onWake, ...options } = this.#options;
    const client = new pg.Client({
      ...connectionSettings({
        ...options,
        service: `${options.service}-locks`,
        settings: LOCK_SESSION_SETTINGS,
      }),
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAliveInitialDelayMillis: HEARTBEAT_MS,
    });
    this.#client = client;
    client.on("error", () => this.#forget(client));
    client.on("end", () => this.#forget(client));
    client.on("notification", onWake);
    await client.connect();
    await client.query(`listen ${OUTBOX_CHANNEL}`);
    return client;
  }

  /** If no lock is free, the statement still serves as the heartbeat. */
  async #takeFree(client: pg.Client): Promise<void> {
    const { keys, mayTake = () => true } = this.#options;
    const free = mayTake() ? keys.filter((key) => !this.#held.has(key)) : [];
    const began = performance.now();
    const { rows } = await client.query<{ key: number }>(TRY_LOCKS, [LOCK_CLASS, free]);
    if (this.#client !== client) return;
    this.#confirmedAt = began;
    if (rows.length === 0) return;
    this.#held = new Set([...this.#held, ...rows.map(({ key }) => key)]);
    this.#options.log.info({ locks: [...this.#held] }, "locks taken");
    this.#options.onWake();
  }

  #loseIfPaused(): void {
    if (this.#held.size > 0 && performance.now() - this.#confirmedAt > TRUSTED_MS) this.#discard();
  }

  #forget(client: pg.Client): void {
    if (this.#client === client) this.#lose();
  }

  #discard(): void {
    const client = this.#client;
    this.#lose();
    // An unresponsive connection is cut; ending one that is already closed may fail.
    client?.end().catch(() => undefined);
  }

  #lose(): void {
    this.#client = null;
    this.#held = new Set();
    this.#session += 1;
  }
}
