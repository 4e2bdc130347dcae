import type { Lease, RateLimit } from "./bucket-store.ts";

/** The share of the burst that a process takes at once, a tenth, so that some is left for other processes. */
const CHUNK_SHARE = 10;
const LARGEST_CHUNK = 20;
/** Leased tokens that are not used expire after this. */
const LEASE_MS = 30_000;
const MAX_OWNERS = 20_000;
const MINUTE_MS = 60_000;

export interface Verdict {
  readonly allowed: boolean;
  /** Approximately how many requests are left now. */
  readonly remaining: number;
  /** Time until the next request is allowed, if this one is not. */
  readonly retryAfterMs: number;
}

interface Leased {
  tokens: number;
  left: number;
  expiresAt: number;
  deniedUntil: number;
  leasing: Promise<void> | null;
}

export interface TokenLeasesOptions {
  readonly limit: RateLimit;
  /** Takes tokens out of the bucket that all processes share. */
  readonly take: (owner: string, want: number) => Promise<Lease>;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/**
 * A token bucket per owner, shared across processes: each leases tokens in chunks and spends them
 * locally, so that a busy caller costs one write every few requests, and a refused one costs none until a
 * token is due.
 */
export class TokenLeases {
  readonly #options: TokenLeasesOptions;
  readonly #chunk: number;
  readonly #now: () => number;
  readonly #leased = new Map<string, Leased>();

  constructor(options: TokenLeasesOptions) {
    this.#options = options;
    const share = Math.floor(options.limit.burst / CHUNK_SHARE);
    this.#chunk = Math.max(1, Math.min(LARGEST_CHUNK, share));
    this.#now = options.now ?? (() => performance.now());
  }

  /** Spends one of the owner's tokens. */
  async spend(owner: string): Promise<Verdict> {
    const leased = this.#of(owner);
    for (;;) {
      const now = this.#now();
      if (leased.tokens >= 1 && now < leased.expiresAt) {
        leased.tokens -= 1;
        return {
          allowed: true,
          remaining: Math.floor(leased.tokens + leased.left),
          retryAfterMs: 0,
        };
      }
      if (now < leased.deniedUntil) {
        return { allowed: false, remaining: 0, retryAfterMs: leased.deniedUntil - now };
      }
      leased.leasing ??= this.#lease(owner, leased).finally(() => {
        leased.leasing = null;
      });
      await leased.leasing;
    }
  }

  async #lease(owner: string, leased: Leased): Promise<void> {
    const { granted, left } = await this.#options.take(owner, this.#chunk);
    const now = this.#now();
    leased.tokens = granted;
    leased.left = left;
    leased.expiresAt = now + LEASE_MS;
    const { perMinute } = this.#options.limit;
    const untilNext = ((1 - left) * MINUTE_MS) / perMinute;
    leased.deniedUntil = granted > 0 ? 0 : now + Math.max(1, untilNext);
  }

  #of(owner: string): Leased {
    const known = this.#leased.get(owner);
    if (known !== undefined) return known;
    if (this.#leased.size >= MAX_OWNERS) {
      const [oldest] = this.#leased.keys();
      if (oldest !== undefined) this.#leased.delete(oldest);
    }
    const leased: Leased = { tokens: 0, left: 0, expiresAt: 0, deniedUntil: 0, leasing: null };
    this.#leased.set(owner, leased);
    return leased;
  }
}
