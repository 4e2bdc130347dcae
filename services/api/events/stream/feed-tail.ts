import { presentEvent, type StoredEvent } from "../../../domain/event/rules/storable-event.ts";
import { readFeed, readFeedTips, type FeedEvent } from "../../../domain/event/store/feed.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { messageFrame } from "../../../platform/http/routing/event-stream.ts";
import type { Logger } from "../../../platform/logger.ts";
import { startPeriodic, type Periodic } from "../../../platform/periodic.ts";

const POLL_MS = 50;
const PAGE_SIZE = 200;

/** An event as it is written to every reader of its account's feed. */
export interface Frame {
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
export interface Wait {
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** One reader's view of its account's feed. */
export interface Follower {
  /** Up to one page of events after a position; empty if none came within the wait, or `signal` was aborted. */
  next(after: number, wait: Wait): Promise<readonly Frame[]>;
  close(): void;
}

export interface FeedTailOptions {
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
