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

interface Held {
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
  readonly #held = new Map<string, Held>();

  constructor(options: TokenLeasesOptions) {
    this.#options = options;
    const share = Math.floor(options.limit.burst / CHUNK_SHARE);
    this.#chunk = Math.max(1, Math.min(LARGEST_CHUNK, share));
    this.#now = options.now ?? (() => performance.now());
  }

  /** Spends one of the owner's tokens. */
  async spend(owner: string): Promise<Verdict> {
    const held = this.#of(owner);
    for (;;) {
      const now = this.#now();
      if (held.tokens >= 1 && now < held.expiresAt) {
        held.tokens -= 1;
        return { allowed: true, remaining: Math.floor(held.tokens + held.left), retryAfterMs: 0 };
      }
      if (now < held.deniedUntil) {
        return { allowed: false, remaining: 0, retryAfterMs: held.deniedUntil - now };
      }
      held.leasing ??= this.#lease(owner, held).finally(() => {
        held.leasing = null;
      });
      await held.leasing;
    }
  }

  async #lease(owner: string, held: Held): Promise<void> {
    const { granted, left } = await this.#options.take(owner, this.#chunk);
    const now = this.#now();
    held.tokens = granted;
    held.left = left;
    held.expiresAt = now + LEASE_MS;
    const { perMinute } = this.#options.limit;
    const untilNext = ((1 - left) * MINUTE_MS) / perMinute;
    held.deniedUntil = granted > 0 ? 0 : now + Math.max(1, untilNext);
  }

  #of(owner: string): Held {
    const known = this.#held.get(owner);
    if (known !== undefined) return known;
    if (this.#held.size >= MAX_OWNERS) {
      const [oldest] = this.#held.keys();
      if (oldest !== undefined) this.#held.delete(oldest);
    }
    const held: Held = { tokens: 0, left: 0, expiresAt: 0, deniedUntil: 0, leasing: null };
    this.#held.set(owner, held);
    return held;
  }
}
