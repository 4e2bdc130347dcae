import type { CarrierWordKind } from "../../domain/order/carrier-word.ts";

/** How a provider's own words read in ours; asked where an update says no kind. Words and codes are compared as they are. */
export interface ProviderTable {
  /** Raw word → what it means. */
  readonly words: ReadonlyMap<string, CarrierWordKind>;
  /** Raw code → canonical code; codes that are canonical themselves need no line. */
  readonly codes: ReadonlyMap<string, string>;
}
