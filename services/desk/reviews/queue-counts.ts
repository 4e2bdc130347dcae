import { LRUCache } from "lru-cache";
import type { Queryable } from "../../platform/db/transaction.ts";
import { countOpenCases, type ClaimantCount, type QueueCount } from "./store.ts";

/** A count is kept for so many times what it took, so that counting costs a twentieth of the time at most. */
const CACHED_TIMES = 20;
const MAX_CACHED_MS = 2_000;
/** One that took less is not kept at all: it costs less than an answer that no longer agrees with the list. */
const QUICK_MS = 10;
/** Of filters; each search is one. */
const MOST_CACHED = 500;

export interface Counts {
  readonly all: number;
  readonly mine: number;
  readonly unclaimed: number;
  readonly overdue: number;
}

/** How many cases the views of the queue list; what is slow to count is kept for a moment, by filter. */
export class QueueCounts {
  readonly #db: Queryable;
  readonly #cached = new LRUCache<string, Promise<readonly ClaimantCount[]>>({
    max: MOST_CACHED,
    ttl: MAX_CACHED_MS,
  });
  readonly #nowMs: () => number;

  /** `nowMs` in milliseconds of a monotonic clock. */
  constructor(db: Queryable, nowMs: () => number = () => performance.now()) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  /** With the request's filters but those that distinguish the views, `claimed_by` and `overdue`. */
  async of({ filter, now }: QueueCount, operatorId: string): Promise<Counts> {
    const { country_code, number_type, provider, account_id, due_before, q } = filter;
    const shared: Required<QueueCount["filter"]> = {
      ...{ country_code, number_type, provider, account_id, due_before, q },
    };
    const counted = await this.#counted({ filter: shared, now });
    const casesOf = (claimant: string | null): number =>
      counted.find(({ claimed_by: id }) => id === claimant)?.cases ?? 0;
    return {
      all: sumOf(counted, "cases"),
      mine: casesOf(operatorId),
      unclaimed: casesOf(null),
      overdue: sumOf(counted, "overdue"),
    };
  }

  /** Counts again at the next request, because cases changed here. */
  forget(): void {
    this.#cached.clear();
  }

  /** Requests that come together share a count; one that failed is not kept. */
  #counted(count: QueueCount): Promise<readonly ClaimantCount[]> {
    const key = JSON.stringify(count.filter);
    const known = this.#cached.get(key);
    if (known !== undefined) return known;
    const begunAt = this.#nowMs();
    const counting = countOpenCases(this.#db, count);
    this.#cached.set(key, counting);
    const cacheFor = (ms: number): void => {
      if (this.#cached.get(key) !== counting) return;
      if (ms === 0) this.#cached.delete(key);
      else this.#cached.set(key, counting, { ttl: Math.min(ms, MAX_CACHED_MS) });
    };
    counting.then(
      () => {
        const tookMs = this.#nowMs() - begunAt;
        cacheFor(tookMs < QUICK_MS ? 0 : Math.ceil(CACHED_TIMES * tookMs));
      },
      () => cacheFor(0),
    );
    return counting;
  }
}

function sumOf(counted: readonly ClaimantCount[], name: "cases" | "overdue"): number {
  return counted.reduce((sum, one) => sum + one[name], 0);
}
