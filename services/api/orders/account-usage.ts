import { LRUCache } from "lru-cache";

/** How much an account may have; 0 is any number. */
export interface OrderQuotas {
  readonly drafts: number;
  /** Numbers in live orders. */
  readonly openNumbers: number;
}

/** What a request adds to its account. */
export interface Addition {
  readonly accountId: string;
  readonly drafts: number;
  readonly numbers: number;
}

/** A request whose account has to be counted: what it adds together with the requests before it. */
export interface QuotaClaim {
  readonly request: number;
  readonly account_id: string;
  readonly drafts: number;
  readonly numbers: number;
  readonly max_drafts: number;
  readonly max_numbers: number;
}

interface Used {
  readonly drafts: number;
  readonly numbers: number;
}

/** What a counted account has, the requests that it was counted for included. */
export interface QuotaUse extends Used {
  readonly reason: "used";
  readonly account_id: string;
}

const MAX_ACCOUNTS = 10_000;
const MAX_AGE_MS = 10_000;
/** Below this share of its quota an account is not counted again, so two processes together cannot exceed it. */
const UNCOUNTED_SHARE = 0.5;

/**
 * What each account had when it was last counted, with all that this process has created since: counting an account at
 * every creation would cost as much as the account is large.
 */
export class AccountUsage {
  private readonly used: LRUCache<string, Used>;
  readonly quotas: OrderQuotas;

  constructor(quotas: OrderQuotas, clock: { now(): number } = performance) {
    this.quotas = quotas;
    const age = { ttl: MAX_AGE_MS, noUpdateTTL: true, ttlResolution: 0, perf: clock };
    this.used = new LRUCache({ max: MAX_ACCOUNTS, ...age });
  }

  /** Adds the requests to what is known, and returns those whose accounts have to be counted. */
  claim(additions: readonly Addition[]): QuotaClaim[] {
    const totals = new Map<string, Used>();
    const claims = additions.map(({ accountId, drafts, numbers }, request) => {
      const before = totals.get(accountId) ?? { drafts: 0, numbers: 0 };
      const total = { drafts: before.drafts + drafts, numbers: before.numbers + numbers };
      totals.set(accountId, total);
      return { request, account_id: accountId, ...total, ...this.limits() };
    });
    const counted = new Set(
      [...totals].flatMap(([id, total]) => (this.add(id, total) ? [] : [id])),
    );
    return claims.filter(({ account_id }) => counted.has(account_id));
  }

  learn({ account_id, drafts, numbers }: QuotaUse): void {
    const known = this.used.get(account_id) ?? { drafts: 0, numbers: 0 };
    this.used.set(account_id, {
      drafts: Math.max(known.drafts, drafts),
      numbers: Math.max(known.numbers, numbers),
    });
  }

  /** Whether the account stays well below its quotas with these; a request that is refused counts too. */
  private add(accountId: string, added: Used): boolean {
    const known = this.used.get(accountId);
    if (known === undefined) return this.isUnlimited();
    const sum = sumOf(known, added);
    this.used.set(accountId, sum);
    return (
      isFarBelow(sum.drafts, this.quotas.drafts) && isFarBelow(sum.numbers, this.quotas.openNumbers)
    );
  }

  private isUnlimited(): boolean {
    return this.quotas.drafts === 0 && this.quotas.openNumbers === 0;
  }

  private limits(): Pick<QuotaClaim, "max_drafts" | "max_numbers"> {
    return { max_drafts: this.quotas.drafts, max_numbers: this.quotas.openNumbers };
  }
}

const sumOf = (one: Used, other: Used): Used => ({
  drafts: one.drafts + other.drafts,
  numbers: one.numbers + other.numbers,
});

const isFarBelow = (used: number, quota: number): boolean =>
  quota === 0 || used <= quota * UNCOUNTED_SHARE;
