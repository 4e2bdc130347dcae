import { LRUCache } from "lru-cache";
import type { Queryable } from "../../platform/db/transaction.ts";
import { countOpenCases, type ClaimantCount, type QueueCount } from "./store/open-cases.ts";

const CACHED_MS = 2_000;
/** Of filters; each search is one. */
const MOST_CACHED = 500;

export interface Counts {
  readonly all: number;
  readonly mine: number;
  readonly unclaimed: number;
  readonly overdue: number;
}

/** How many cases the views of the queue list, counted at most every 2 s for each filter. */
export class QueueCounts {
  readonly #db: Queryable;
  readonly #cached = new LRUCache<string, Promise<readonly ClaimantCount[]>>({
    max: MOST_CACHED,
    ttl: CACHED_MS,
  });

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** With the request's filters but those that tell the views apart, `claimed_by` and `overdue`. */
  async of({ filter, now }: QueueCount, operatorId: string): Promise<Counts> {
    const { country_code, number_type, provider, account_id, due_before, q } = filter;
    const shared = { country_code, number_type, provider, account_id, due_before, q };
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
    const counting = countOpenCases(this.#db, count);
    this.#cached.set(key, counting);
    counting.catch(() => {
      if (this.#cached.get(key) === counting) this.#cached.delete(key);
    });
    return counting;
  }
}

function sumOf(counted: readonly ClaimantCount[], name: "cases" | "overdue"): number {
  return counted.reduce((sum, one) => sum + one[name], 0);
}
