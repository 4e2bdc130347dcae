import type { NumberOwner } from "../../domain/number/number-owner-store.ts";

export interface OwnerCacheOptions {
  readonly read: (phoneNumbers: readonly string[]) => Promise<Map<string, NumberOwner>>;
  /** How long an owner is believed: so long a call may be told to an account that has lost its number. */
  readonly freshMs: number;
  /** At most so many numbers are kept. */
  readonly limit: number;
  readonly nowMs: () => number;
}

interface Entry {
  readonly owner: NumberOwner;
  readonly untilMs: number;
}

/** Whose numbers are, one look at the database for all that are not known; a number of nobody is asked for each time. */
export class OwnerCache {
  readonly #options: OwnerCacheOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: OwnerCacheOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  async ownersOf(phoneNumbers: Iterable<string>): Promise<ReadonlyMap<string, NumberOwner>> {
    const { read, freshMs, nowMs } = this.#options;
    const now = nowMs();
    const owners = new Map<string, NumberOwner>();
    const unknown: string[] = [];
    for (const number of new Set(phoneNumbers)) {
      const entry = this.#entries.get(number);
      if (entry !== undefined && entry.untilMs > now) owners.set(number, entry.owner);
      else unknown.push(number);
    }
    if (unknown.length === 0) return owners;
    const found = await read(unknown);
    for (const number of unknown) {
      this.#entries.delete(number);
      const owner = found.get(number);
      if (owner === undefined) continue;
      owners.set(number, owner);
      this.#entries.set(number, { owner, untilMs: now + freshMs });
    }
    this.#shrink();
    return owners;
  }

  /** Those that were read longest ago go first. */
  #shrink(): void {
    for (const number of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.limit) return;
      this.#entries.delete(number);
    }
  }
}
