import type { Context } from "koa";
import type { Clock } from "../clock.ts";
import type { Queryable } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { networkOf } from "../http/routing/connection-limits.ts";
import type { Logger } from "../logger.ts";
import { startPeriodic } from "../periodic.ts";
import { forgetBuckets, takeTokens, type RateLimit } from "./bucket-store.ts";
import { TokenLeases, type Verdict } from "./token-leases.ts";

const FORGET_EVERY_MS = 600_000;
const FORGET_AFTER_MS = 3_600_000;
const FORGET_BATCH = 5_000;
const WINDOW_S = 60;

export interface RateLimitsOptions {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
  /** The limit per account; `perMinute` 0 switches it off. */
  readonly requests: RateLimit;
  /** The limit of failed authentication per address, or IPv6 network (/64); 0 switches it off. */
  readonly failuresPerMinute: number;
  /** Whose failures they are, where another listener on the same database counts its own. */
  readonly failuresAt?: string;
}

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
export function startRateLimits(options: RateLimitsOptions): RateLimits {
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

export interface AddressLimit {
  /** Tells the buckets of this limit from those of others. */
  readonly kind: string;
  /** 0 switches it off. */
  readonly perMinute: number;
  /** What is counted, in the refusal's words. */
  readonly what: string;
}

/**
 * Counts once for an address, or IPv6 network (/64), over all processes; `startRateLimits` deletes its full buckets too.
 * @throws `rate_limited`
 */
export function limitByAddress(
  db: Queryable,
  { kind, perMinute, what }: AddressLimit,
): (address: string) => Promise<void> {
  const leases = leasesOf(db, kind, { perMinute, burst: perMinute });
  return async (address) => {
    const verdict = await leases?.spend(networkOf(address));
    if (verdict?.allowed === false)
      throw tooMany(verdict, `An address may make ${perMinute} ${what}.`);
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
