import type { Context } from "koa";
import type { Clock } from "../../platform/clock.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { messageFrame, refuseStream } from "../../platform/http/routing/event-stream.ts";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import type { StreamHints } from "./answers.ts";
import { readRecentChanges, type RecentChanges } from "./store.ts";

/** The desk's live stream, shared by its readers. */
export interface LiveHints {
  readonly watch: ChangeWatch;
  readonly listeners: OpenListeners;
  /** The id of the operator whose request continues; null once its token or session is no longer valid. */
  readonly readmit: (ctx: Context) => Promise<string | null>;
}

const PER_OPERATOR = 10;
const PER_PROCESS = 500;

/** The open streams of this process, each an operator's. */
export class OpenListeners {
  readonly #streams = new Map<AbortController, string>();
  #stopped = false;

  /** @throws `rate_limited` if the operator is at the limit, `unavailable` if the process is, or ends */
  open(operatorId: string): AbortController {
    if (this.#stopped || this.#streams.size >= PER_PROCESS) {
      throw refuseStream("unavailable", "Too many streams are open. Try again later.");
    }
    const own = [...this.#streams.values()].filter((id) => id === operatorId);
    if (own.length >= PER_OPERATOR) {
      const detail = `An operator may have at most ${PER_OPERATOR} open streams.`;
      throw refuseStream("rate_limited", detail);
    }
    const stream = new AbortController();
    this.#streams.set(stream, operatorId);
    stream.signal.addEventListener("abort", () => this.#streams.delete(stream), { once: true });
    return stream;
  }

  /** Ends all streams, so that the HTTP server can stop. */
  stop(): void {
    this.#stopped = true;
    for (const stream of [...this.#streams.keys()]) stream.abort();
  }
}

/** A hint, and by what it is recognised in the next look. */
interface Found {
  readonly subject: string;
  readonly version: string;
  readonly frame: string;
}

/**
 * Picks what is new from overlapping looks at what changed lately: a transaction that commits late is in a later look,
 * and the rest of that was in the look before.
 */
export class NewHints {
  #seen: ReadonlyMap<string, string> = new Map();

  framesOf(recent: RecentChanges, at: Date): string[] {
    const cases = this.#unseen(casesOf(recent));
    const others = this.#unseen([...ordersOf(recent), ...healthOf(recent)]);
    const all = [...casesOf(recent), ...ordersOf(recent), ...healthOf(recent)];
    this.#seen = new Map(all.map(({ subject, version }) => [subject, version]));
    const isCounted = cases.length > 0 || recent.overdue > 0;
    const counts = isCounted ? [frameOf("counts", { at: at.toISOString() })] : [];
    return [...[...cases, ...others].map(({ frame }) => frame), ...counts];
  }

  #unseen(found: readonly Found[]): Found[] {
    return found.filter(({ subject, version }) => this.#seen.get(subject) !== version);
  }
}

function casesOf({ cases }: RecentChanges): Found[] {
  return cases.map(({ changed_at, due_at, ...rest }) => {
    const frame = frameOf("review", { ...rest, due_at: instant(due_at) });
    return {
      subject: `review ${rest.order_id} ${rest.attempt}`,
      version: changed_at + frame,
      frame,
    };
  });
}

function ordersOf({ orders }: RecentChanges): Found[] {
  return orders.map(({ entry_id, ...order }) => {
    const frame = frameOf("order", order);
    return { subject: `order ${order.id}`, version: entry_id + frame, frame };
  });
}

function healthOf({ health }: RecentChanges): Found[] {
  if (health === null) return [];
  const at = instant(health.minute);
  return [
    { subject: "health", version: at, frame: frameOf("health", { at, status: health.status }) },
  ];
}

function frameOf<T extends keyof StreamHints>(type: T, data: StreamHints[T]): string {
  return messageFrame({ type, data });
}

/** As the API writes it; Postgres gives microseconds and an offset. */
function instant(text: string): string {
  return new Date(text).toISOString();
}

const POLL_MS = 1_000;
/** How late a transaction may commit after the instants in its rows. */
const OVERLAP_S = 10;
const MOST = 1_000;

interface ChangeWatchOptions {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  /** Runs after a look that found changes, before they are sent. */
  readonly onChange?: () => void;
}

/** Receives the hints of one look. */
export type Listener = (frames: readonly string[]) => void;

/** One query a second for all listeners of the process, and none while there are none. */
export class ChangeWatch {
  readonly #options: ChangeWatchOptions;
  readonly #listeners = new Set<Listener>();
  #polling: Periodic | null = null;

  constructor(options: ChangeWatchOptions) {
    this.#options = options;
  }

  /** Returns how to stop listening. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#polling ??= this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      void this.#polling?.stop();
      this.#polling = null;
    };
  }

  #start(): Periodic {
    const { db, clock, log, onChange } = this.#options;
    const hints = new NewHints();
    let since = new Date(clock.now().getTime() - POLL_MS);
    const run = async (): Promise<void> => {
      const now = clock.now();
      const created_after = new Date(now.getTime() - OVERLAP_S * 1_000);
      const { above } = idRange(
        { direction: "asc", cursorId: null, fetch: MOST },
        { created_after },
      );
      const span = { since, now, overlapSeconds: OVERLAP_S, entriesAbove: above, most: MOST };
      const frames = hints.framesOf(await readRecentChanges(db, span), now);
      since = now;
      if (frames.length === 0) return;
      onChange?.();
      for (const listener of this.#listeners) listener(frames);
    };
    return startPeriodic({ name: "poll of the desk's changes", everyMs: POLL_MS, run, log });
  }
}
