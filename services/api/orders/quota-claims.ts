/** How much an account may have; 0 is any number. */
export interface OrderQuotas {
  readonly drafts: number;
  /** Numbers in live orders. */
  readonly openNumbers: number;
  /** Numbers of orders of the last 24 hours that the customer deleted or cancelled: what they stored stays. */
  readonly discardedNumbers: number;
}

/** What a request adds to its account. */
export interface Addition {
  readonly accountId: string;
  readonly drafts: number;
  readonly numbers: number;
}

/** A request with what it adds to its account together with the requests before it. */
export interface QuotaClaim {
  readonly request: number;
  readonly account_id: string;
  readonly drafts: number;
  readonly numbers: number;
  readonly max_drafts: number;
  readonly max_numbers: number;
  readonly max_discarded: number;
}

/** What has to be counted against the quotas; nothing where there are none, so that nothing is counted. */
export function quotaClaims(quotas: OrderQuotas, additions: readonly Addition[]): QuotaClaim[] {
  if (Object.values(quotas).every((quota) => quota === 0)) return [];
  const limits = {
    max_drafts: quotas.drafts,
    max_numbers: quotas.openNumbers,
    max_discarded: quotas.discardedNumbers,
  };
  const totals = new Map<string, Pick<Addition, "drafts" | "numbers">>();
  return additions.map(({ accountId, drafts, numbers }, request) => {
    const before = totals.get(accountId) ?? { drafts: 0, numbers: 0 };
    const total = { drafts: before.drafts + drafts, numbers: before.numbers + numbers };
    totals.set(accountId, total);
    return { request, account_id: accountId, ...total, ...limits };
  });
}
