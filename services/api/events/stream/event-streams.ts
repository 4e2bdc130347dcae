import { findUsableKeys } from "../../../domain/account/store/api-keys.ts";
import { presentEvent, type StoredEvent } from "../../../domain/event/rules/storable-event.ts";
import { readFeed, readFeedTips, type FeedEvent } from "../../../domain/event/store/feed.ts";
import type { ConnectionOptions } from "../../../platform/db/pool.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { messageFrame, refuseStream } from "../../../platform/http/routing/event-stream.ts";
import type { Logger } from "../../../platform/logger.ts";
import { startPeriodic, type Periodic } from "../../../platform/periodic.ts";
import type { AccountPrincipal } from "../../access/customer-routes.ts";
import { SessionLocks, type SessionLock } from "./store/session-locks.ts";

const POLL_MS = 50;
const PAGE_SIZE = 200;

/** An event as it is written to every reader of its account's feed. */
interface Frame {
  readonly seq: number;
  readonly text: string;
}

interface Followed {
  readers: number;
  tip: number;
  /** The page read last, shared by all readers that are up to date. */
  recent: readonly Frame[];
  reading: { readonly after: number; readonly page: Promise<readonly Frame[]> } | null;
  readonly waiting: Set<() => void>;
}

/** How long a reader waits for events. */
interface Wait {
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** One reader's view of its account's feed. */
interface Follower {
  /** Up to one page of events after a position; empty if none came within the wait, or `signal` was aborted. */
  next(after: number, wait: Wait): Promise<readonly Frame[]>;
  close(): void;
}

interface FeedTailOptions {
  readonly db: Queryable;
  readonly log: Logger;
}

/**
 * Follows the ends of the feeds that have readers: one poll of the counters for all readers of the process, and one
 * read of new events per account. It holds one page per account, however many readers there are.
 */
export class FeedTail {
  readonly #options: FeedTailOptions;
  readonly #accounts = new Map<string, Followed>();
  #polling: Periodic | null = null;

  constructor(options: FeedTailOptions) {
    this.#options = options;
  }

  follow(accountId: string): Follower {
    const followed = this.#accounts.get(accountId) ?? emptyFeed();
    followed.readers += 1;
    this.#accounts.set(accountId, followed);
    this.#polling ??= startPeriodic({
      name: "poll of the feed tips",
      everyMs: POLL_MS,
      run: () => this.#poll(),
      log: this.#options.log,
    });
    return {
      next: async (after, wait) => {
        if (after >= followed.tip) await change(followed, wait);
        return after >= followed.tip || wait.signal.aborted
          ? []
          : this.#page(accountId, followed, after);
      },
      close: () => {
        this.#leave(accountId, followed);
      },
    };
  }

  #leave(accountId: string, followed: Followed): void {
    followed.readers -= 1;
    if (followed.readers > 0) return;
    this.#accounts.delete(accountId);
    if (this.#accounts.size > 0) return;
    void this.#polling?.stop();
    this.#polling = null;
  }

  async #poll(): Promise<void> {
    const tips = await readFeedTips(this.#options.db, [...this.#accounts.keys()]);
    for (const [accountId, tip] of tips) {
      const followed = this.#accounts.get(accountId);
      if (followed === undefined || followed.tip >= tip) continue;
      followed.tip = tip;
      for (const wake of [...followed.waiting]) wake();
    }
  }

  async #page(accountId: string, followed: Followed, after: number): Promise<readonly Frame[]> {
    const [first] = followed.recent;
    const last = followed.recent.at(-1);
    if (first !== undefined && last !== undefined && first.seq <= after + 1 && last.seq > after) {
      return followed.recent.slice(after + 1 - first.seq);
    }
    if (followed.reading?.after === after) return followed.reading.page;
    const part = { accountId, after, limit: PAGE_SIZE };
    const page = readFeed(this.#options.db, part).then(toFrames);
    followed.reading = { after, page };
    try {
      const frames = await page;
      if (frames.at(-1)?.seq === followed.tip) followed.recent = frames;
      return frames;
    } finally {
      followed.reading = null;
    }
  }
}

function emptyFeed(): Followed {
  return { readers: 0, tip: 0, recent: [], reading: null, waiting: new Set() };
}

function toFrames(events: readonly FeedEvent[]): readonly Frame[] {
  return events.map((event) => ({ seq: event.seq, text: eventFrame(event) }));
}

/** Resolves when the feed has grown, the time is over or the signal was aborted; leaves no listener on the signal. */
async function change({ waiting }: Followed, { ms, signal }: Wait): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}

/** One Server-Sent Event: the id to resume from, the type, and the event as the API shows it on one line. */
function eventFrame(event: StoredEvent): string {
  const view = presentEvent(event);
  return messageFrame({ id: view.id, type: view.type, data: view });
}

/** Each stream holds a Postgres advisory lock; the server has about ten thousand locks in all. */
const STREAMS_PER_PROCESS = 2_000;

interface OpenStreamsOptions {
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

interface EventStreamOptions {
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
