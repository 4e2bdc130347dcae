/** The account that owns a number, and the order that ported it in. */
export interface NumberOwner {
  readonly account_id: string;
  readonly porting_order_id: string | null;
}

/** The period in which an account owned a number, in epoch milliseconds; `until` is null for the current owner. */
export interface OwnerTerm extends NumberOwner {
  readonly since: number;
  readonly until: number | null;
}

/** How long a former owner still gets events of calls from its time: the retention of `carriers.calls`. */
export const FORMER_OWNER_MS = 7 * 24 * 60 * 60_000;
/** How far the clock of a call's reporter may be off for a number that has no owner any more. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * The owner of the number at `at` (epoch milliseconds); if two terms include it, the one that started later. A time in
 * no term comes from a wrong clock: it gives the current owner, or else the last one if the time is not far off.
 */
export function ownerAt(terms: readonly OwnerTerm[], at: number): OwnerTerm | null {
  const then = terms.filter((term) => isWithin(term, at, 0));
  if (then.length > 0) return then.reduce((best, one) => (one.since > best.since ? one : best));
  const present = terms.find((term) => term.until === null);
  if (present !== undefined) return present;
  const near = terms.filter((term) => isWithin(term, at, CLOCK_TOLERANCE_MS));
  return near.reduce<OwnerTerm | null>(
    (last, one) => (endOf(one) > endOf(last) ? one : last),
    null,
  );
}

function isWithin({ since, until }: OwnerTerm, at: number, tolerance: number): boolean {
  return at >= since - tolerance && (until === null || at < until + tolerance);
}

function endOf(term: OwnerTerm | null): number {
  return term?.until ?? Number.NEGATIVE_INFINITY;
}
