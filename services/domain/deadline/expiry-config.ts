import { decimal } from "../../platform/config.ts";

const DAY_MS = 86_400_000;

/** How long orders may stay untouched: order-lifecycle ends them, both front doors show when. */
export const expiryShape = {
  /** Days without a change after which a draft is deleted. Decimals; 0 switches it off, here and below. */
  DRAFT_EXPIRY_DAYS: decimal({ fallback: 30 }),
  /** Days without an answer to a rejection after which the order is closed. */
  REJECTION_EXPIRY_DAYS: decimal({ fallback: 14 }),
};

interface ExpiryConfig {
  readonly DRAFT_EXPIRY_DAYS: number;
  readonly REJECTION_EXPIRY_DAYS: number;
}

/** The same in milliseconds. */
export function expirySpans(config: ExpiryConfig) {
  return {
    draft_expiry: config.DRAFT_EXPIRY_DAYS * DAY_MS,
    rejection_expiry: config.REJECTION_EXPIRY_DAYS * DAY_MS,
  };
}
