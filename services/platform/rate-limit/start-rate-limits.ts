import type { Context } from "koa";
import type { Clock } from "../clock.ts";
import { queryRows, type Queryable } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { networkOf } from "../http/routing/connection-limits.ts";
import type { Logger } from "../logger.ts";
import { startPeriodic } from "../periodic.ts";

/** How fast a bucket fills, and how much it holds. */
export interface RateLimit {
  readonly perMinute: number;
  readonly burst: number;
}

interface Lease {
  /** Tokens taken out of the bucket; 0 if it has less than one. */
  readonly granted: number;
  /** Tokens left in the bucket, including fractions. */
  readonly left: number;
}

interface LeaseRequest extends RateLimit {
  /** Whole tokens. */
  readonly want: number;
}

/**
 * The bucket fills by the database's clock, which all processes share. Where several find no row at once, each takes out of
 * a full bucket, and the later ones find that the first has made it: they take theirs from what is left, down to a debt.
 */
const TAKE = `with filled as materialized (
    select least($3::float8, tokens
      + $2::float8 * greatest(0, extract(epoch from clock_timestamp() - filled_at)::float8)) as tokens
    from messaging.rate_buckets where owner = $1 for update
  ), taken as materialized (
    select one.tokens, least($4::float8, greatest(0, floor(one.tokens))) as granted
    from (select coalesce((select tokens from filled), $3::float8) as tokens) one
  ), written as (
    insert into messaging.rate_buckets as b (owner, tokens, filled_at)
    select $1, tokens - granted, clock_timestamp() from taken
    on conflict (owner) do update set filled_at = excluded.filled_at,
      tokens = case when exists (select from filled) then excluded.tokens
        else b.tokens - (select granted from taken) end
  )
  select granted, tokens - granted as left from taken`;

/** Takes up to `want` tokens out of an owner's bucket. */
export async function takeTokens(
  db: Queryable,
  owner: string,
  { perMinute, burst, want }: LeaseRequest,
): Promise<Lease> {
  const [row] = await queryRows<Lease & Record<string, unknown>>(db, {
    name: "rate-take",
    text: TAKE,
    values: [owner, perMinute / 60, burst, want],
  });
  return { granted: row?.granted ?? 0, left: row?.left ?? 0 };
}

/** Deletes up to `limit` buckets unused since `since`, which would be full anyway; returns how many. */
export async function forgetBuckets(db: Queryable, since: Date, limit: number): Promise<number> {
  const rows = await queryRows(db, {
    text: `delete from messaging.rate_buckets where owner in (
        select owner from messaging.rate_buckets where filled_at < $1 limit $2)
        and filled_at < $1 returning owner`,
    values: [since, limit],
  });
  return rows.length;
}

const FORGET_EVERY_MS = 600_000;
const FORGET_AFTER_MS = 3_600_000;
const FORGET_BATCH = 5_000;
const WINDOW_S = 60;

export interface RateLimits {
  /**
   * Counts a request for each of these owners and sets the rate limit headers, to those of the one that has least left.
   * @throws `rate_limited`
   */
  admit(owners: readonly string[], ctx: Context): Promise<void>;
  /** Counts a request without a valid key. @throws `rate_limited` in place of the 401 */
  refused(address: string): Promise<void>;
  stop(): Promise<void>;
}

/** Rate limits shared by all processes on the same database. */
export function startRateLimits(options: {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  /** The limit per account; `perMinute` 0 switches it off. */
  readonly requests: RateLimit;
  /** The limit of failed authentication per address, or IPv6 network (/64); 0 switches it off. */
  readonly failuresPerMinute: number;
  /** Whose failures they are, where another listener on the same database counts its own. */
  readonly failuresAt?: string;
}): RateLimits {
  const { db, clock, log, requests, failuresPerMinute: perMinute } = options;
  const ofAccounts = leasesOf(db, "account", requests);
  const kind = options.failuresAt ?? "address";
  const what = "requests a minute without a valid key";
  const forgetting = startPeriodic({
    name: "full buckets",
    everyMs: FORGET_EVERY_MS,
    run: async () => {
      const since = new Date(clock.now().getTime() - FORGET_AFTER_MS);
      while ((await forgetBuckets(db, since, FORGET_BATCH)) === FORGET_BATCH);
    },
    log,
  });
  return {
    admit: async (owners, ctx) => {
      if (ofAccounts === null) return;
      const verdicts: Verdict[] = [];
      for (const owner of owners) {
        const one = await ofAccounts.spend(owner);
        verdicts.push(one);
        if (!one.allowed) break;
      }
      const [verdict] = verdicts.toSorted((a, b) => a.remaining - b.remaining);
      if (verdict === undefined) return;
      ctx.res.setHeader("RateLimit-Policy", `"account";q=${requests.perMinute};w=${WINDOW_S}`);
      ctx.res.setHeader("RateLimit", `"account";r=${verdict.remaining};t=${secondsOf(verdict)}`);
      const refused = verdicts.find(({ allowed }) => !allowed);
      if (refused !== undefined) throw tooMany(refused, limitOfAccount(requests));
    },
    refused: limitByAddress(db, { kind, perMinute, what }),
    stop: () => forgetting.stop(),
  };
}

interface AddressLimit {
  /** Tells the buckets of this limit from those of others. */
  readonly kind: string;
  /** 0 switches it off. */
  readonly perMinute: number;
  /** What is counted, in the refusal's words. */
  readonly what: string;
}

/**
 * Counts once for an address, or IPv6 network (/64), over all processes.
 * @throws `rate_limited`
 */
export function limitByAddress(
  db: Queryable,
  { kind, perMinute, what }: AddressLimit,
): (address: string) => Promise<void> {
  const spend = limitByOwner(db, {
    ...{ kind, perMinute, burst: perMinute },
    refusal: `An address may make ${perMinute} ${what}.`,
  });
  return (address) => spend(networkOf(address));
}

interface OwnerLimit extends RateLimit {
  /** Tells the buckets of this limit from those of others. */
  readonly kind: string;
  /** The limit as a sentence. */
  readonly refusal: string;
}

/**
 * Counts once for an owner, over all processes; `startRateLimits` deletes its full buckets too, so that it is full within
 * an hour. `perMinute` 0 switches it off.
 * @throws `rate_limited`
 */
export function limitByOwner(
  db: Queryable,
  { kind, refusal, ...limit }: OwnerLimit,
): (owner: string) => Promise<void> {
  const leases = leasesOf(db, kind, limit);
  return async (owner) => {
    const verdict = await leases?.spend(owner);
    if (verdict?.allowed === false) throw tooMany(verdict, refusal);
  };
}

function leasesOf(db: Queryable, kind: string, limit: RateLimit): TokenLeases | null {
  if (limit.perMinute === 0) return null;
  return new TokenLeases({
    limit,
    take: (owner, want) => takeTokens(db, `${kind}:${owner}`, { ...limit, want }),
  });
}

function secondsOf({ retryAfterMs }: Verdict): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1_000));
}

const limitOfAccount = ({ perMinute, burst }: RateLimit): string =>
  `An account may make ${perMinute} requests a minute, ${burst} of them at once.`;

function tooMany(verdict: Verdict, limit: string): AppError {
  const seconds = secondsOf(verdict);
  return new AppError("rate_limited", `${limit} Try again in ${seconds} s.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

/** The share of the burst that a process takes at once, a tenth, so that some is left for other processes. */
const CHUNK_SHARE = 10;
const LARGEST_CHUNK = 20;
/** Leased tokens that are not used expire after this. */
const LEASE_MS = 30_000;
const MAX_OWNERS = 20_000;
const MINUTE_MS = 60_000;

interface Verdict {
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

interface TokenLeasesOptions {
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
