/** Whose a number is, and the order that brought it in. */
export interface NumberOwner {
  readonly account_id: string;
  readonly porting_order_id: string | null;
}

/** How long an account had a number, in epoch milliseconds; `until` is null for the one that has it now. */
export interface OwnerTerm extends NumberOwner {
  readonly since: number;
  readonly until: number | null;
}

/** How long after its number has left an account is told of calls of its time: as long as `carriers.calls` keeps them. */
export const FORMER_OWNER_MS = 7 * 24 * 60 * 60_000;
/** How far the clock of whoever reports a call may be off where nobody has the number any more. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * The account that had the number at `at` (epoch milliseconds): where two terms hold it, the one that began later. A time
 * that is in none of them is a wrong clock's: the account that has the number now, else the last one, if it is not far off.
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
