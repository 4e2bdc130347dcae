/** The condition that an order is from the carrier of a parameter, in any case; its indexes are of the same expression. */
export function carrierIs(at: string): string {
  return `lower(btrim(o.losing_carrier)) = lower(btrim(${at}))`;
}
