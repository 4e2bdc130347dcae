import type { OwnerTerm } from "../../domain/number/rules/owner-at.ts";

type Terms = readonly OwnerTerm[];

export interface OwnerCacheOptions {
  readonly read: (phoneNumbers: readonly string[]) => Promise<ReadonlyMap<string, Terms>>;
  /** How long an owner is cached: for that long a call may go to an account that has lost its number. */
  readonly freshMs: number;
  /** The maximum of cached numbers. */
  readonly limit: number;
  readonly nowMs: () => number;
}

interface Entry {
  readonly terms: Terms;
  readonly untilMs: number;
}

/** Present and former owners of numbers; one query per batch reads the unknown ones. Unowned numbers are not cached. */
export class OwnerCache {
  readonly #options: OwnerCacheOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: OwnerCacheOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  async termsOf(phoneNumbers: Iterable<string>): Promise<ReadonlyMap<string, Terms>> {
    const { read, freshMs, nowMs } = this.#options;
    const now = nowMs();
    const known = new Map<string, Terms>();
    const unknown: string[] = [];
    for (const number of new Set(phoneNumbers)) {
      const entry = this.#entries.get(number);
      if (entry !== undefined && entry.untilMs > now) known.set(number, entry.terms);
      else unknown.push(number);
    }
    if (unknown.length === 0) return known;
    const found = await read(unknown);
    for (const number of unknown) {
      this.#entries.delete(number);
      const terms = found.get(number);
      if (terms === undefined) continue;
      known.set(number, terms);
      if (!terms.some(({ until }) => until === null)) continue;
      this.#entries.set(number, { terms, untilMs: now + freshMs });
    }
    this.#shrink();
    return known;
  }

  /** Removes those that were read longest ago. */
  #shrink(): void {
    for (const number of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.limit) return;
      this.#entries.delete(number);
    }
  }
}
