import { findUsableKeys } from "../../../domain/account/store/api-keys.ts";
import type { ConnectionOptions } from "../../../platform/db/pool.ts";
import { SessionLocks, type SessionLock } from "./store/session-locks.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { refuseStream } from "../../../platform/http/routing/event-stream.ts";
import type { Logger } from "../../../platform/logger.ts";
import { startPeriodic } from "../../../platform/periodic.ts";
import type { AccountPrincipal } from "../../access/principal.ts";
import { FeedTail } from "./feed-tail.ts";

/** Each stream holds a Postgres advisory lock; the server has about ten thousand locks in all. */
const STREAMS_PER_PROCESS = 2_000;

export interface OpenStreamsOptions {
  /** How many streams an account may have open at once, across all processes. */
  readonly limit: number;
  /** Locks the first name that no process holds; null if all are held. */
  readonly takeFirst: (names: readonly string[]) => Promise<SessionLock | null>;
  readonly log: Logger;
}

/** The open streams of this process by principal; each holds one of its account's slots until it ends. */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #streams = new Map<AbortController, AccountPrincipal>();
  #stopped = false;

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
  }

  /** Ends all streams, and any that is opened from now on. */
  stop(): void {
    this.#stopped = true;
    this.endAll();
  }

  /** @throws `rate_limited` if the account is at its limit, `unavailable` if the process is */
  async open(principal: AccountPrincipal): Promise<AbortController> {
    if (this.#streams.size >= STREAMS_PER_PROCESS) {
      throw refuseStream("unavailable", "Too many streams are open. Try again later.");
    }
    const { limit, takeFirst } = this.#options;
    const stream = new AbortController();
    // Registered before it has a slot, so that losing all slots in between ends this stream too.
    this.#streams.set(stream, principal);
    stream.signal.addEventListener("abort", () => this.#streams.delete(stream), { once: true });
    try {
      const slot = await takeFirst(slotsOf(principal.accountId, limit));
      if (slot === null) {
        throw refuseStream("rate_limited", `An account may have at most ${limit} open streams.`);
      }
      this.#releaseAtEnd(stream.signal, slot);
    } catch (error) {
      stream.abort();
      throw error;
    }
    if (this.#stopped) stream.abort();
    return stream;
  }

  /** The ids of the keys that have open streams. */
  keyIds(): string[] {
    return [...new Set([...this.#streams.values()].map(({ keyId }) => keyId))];
  }

  /** Ends the streams of these keys. */
  endOf(keyIds: ReadonlySet<string>): void {
    for (const [stream, { keyId }] of this.#streams) {
      if (keyIds.has(keyId)) stream.abort();
    }
  }

  /** Ends all streams; readers reconnect and resume where they were. */
  endAll(): void {
    for (const stream of [...this.#streams.keys()]) stream.abort();
  }

  #releaseAtEnd(signal: AbortSignal, slot: SessionLock): void {
    const release = (): void => {
      slot.release().catch((error: unknown) => {
        this.#options.log.warn(
          { err: error },
          "could not release a stream's slot; it is freed with its connection",
        );
      });
    };
    if (signal.aborted) release();
    else signal.addEventListener("abort", release, { once: true });
  }
}

function slotsOf(accountId: string, limit: number): string[] {
  return Array.from({ length: limit }, (_, n) => `event-stream ${accountId} ${n}`);
}

export const STREAMS_PER_ACCOUNT = 5;
/** How soon an open stream ends after its key was revoked or its account suspended. */
const CHECK_MS = 1_000;

export interface EventStreams {
  readonly tail: FeedTail;
  readonly streams: OpenStreams;
  /** Ends all streams, so that the HTTP server can stop. */
  stop(): Promise<void>;
}

export interface EventStreamOptions {
  readonly db: Queryable;
  /** For the one connection that holds the slots of all streams of the process. */
  readonly connection: ConnectionOptions;
  readonly log: Logger;
}

export function startEventStreams({ db, connection, log }: EventStreamOptions): EventStreams {
  const slots = new SessionLocks({ ...connection, log, onLost: () => streams.endAll() });
  const streams = new OpenStreams({
    limit: STREAMS_PER_ACCOUNT,
    takeFirst: (names) => slots.takeFirst(names),
    log,
  });
  // By itself: slots that wait for a busy pool would be lost.
  const slotChecks = startPeriodic({
    name: "check of the slots of open streams",
    everyMs: CHECK_MS,
    run: () => slots.check(),
    log,
  });
  const checks = startPeriodic({
    name: "check of the keys of open streams",
    everyMs: CHECK_MS,
    run: async () => {
      const keyIds = streams.keyIds();
      if (keyIds.length === 0) return;
      const usable = await findUsableKeys(db, keyIds);
      // Only the keys that were checked: streams opened in the meantime were not among them.
      streams.endOf(new Set(keyIds.filter((keyId) => !usable.has(keyId))));
    },
    log,
  });
  return {
    tail: new FeedTail({ db, log }),
    streams,
    stop: async () => {
      streams.stop();
      await Promise.all([slotChecks.stop(), checks.stop()]);
      await slots.stop();
    },
  };
}
