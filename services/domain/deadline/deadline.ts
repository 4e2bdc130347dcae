import { decimal } from "../../platform/config.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** How long orders may stay untouched: order-lifecycle ends them, both front doors show when. */
export const expiryShape = {
  /** Days without a change after which a draft is deleted. Decimals; 0 switches it off, here and below. */
  DRAFT_EXPIRY_DAYS: decimal({ fallback: 30 }),
  /** Days without an answer to a rejection after which the order is closed. */
  REJECTION_EXPIRY_DAYS: decimal({ fallback: 14 }),
  /** Hours in which a customer confirms a date before the requested one, which the carrier is asked for again then. */
  DATE_CONFIRMATION_HOURS: decimal({ fallback: 24 }),
};

/** The same in milliseconds. */
export function expirySpans(config: {
  readonly DRAFT_EXPIRY_DAYS: number;
  readonly REJECTION_EXPIRY_DAYS: number;
  readonly DATE_CONFIRMATION_HOURS: number;
}) {
  return {
    draft_expiry: config.DRAFT_EXPIRY_DAYS * DAY_MS,
    rejection_expiry: config.REJECTION_EXPIRY_DAYS * DAY_MS,
    date_confirmation: config.DATE_CONFIRMATION_HOURS * HOUR_MS,
  };
}

/** Deadlines with a fixed date. */
export const DATE_KINDS = ["foc_reached"] as const;

export type DateKind = (typeof DATE_KINDS)[number];

/** Waits of a configured length: only their start is stored, so that a new length takes effect at once. */
export const WAIT_KINDS = [
  "draft_expiry",
  "rejection_expiry",
  "foc_grace",
  "carrier_silence",
  "date_confirmation",
] as const;

export type WaitKind = (typeof WAIT_KINDS)[number];

/** Everything that time can trigger on an order; one handler each. */
export type DeadlineKind = DateKind | WaitKind;

/** How long each wait lasts, in milliseconds; 0 means forever. */
export type WaitSpans = Readonly<Record<WaitKind, number>>;

/** Deadlines of the kind that started at or before `until` are due; disabled kinds are absent. */
export interface DueKind<K extends string = DeadlineKind> {
  readonly kind: K;
  readonly until: Date;
}

/** The order deadlines that are due now, by kind. */
export function dueKinds(now: Date, spans: WaitSpans): DueKind[] {
  const dates = DATE_KINDS.map((kind): DueKind => ({ kind, until: now }));
  const waits = WAIT_KINDS.filter((kind) => spans[kind] > 0).map((kind): DueKind => ({
    kind,
    until: new Date(now.getTime() - spans[kind]),
  }));
  return [...dates, ...waits];
}
