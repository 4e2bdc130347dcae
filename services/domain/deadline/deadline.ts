/** Deadlines with a date of their own. */
export const DATE_KINDS = ["foc_reached"] as const;

export type DateKind = (typeof DATE_KINDS)[number];

/** Waits whose length is the deployment's to choose: only when they began is stored, so a new length holds at once. */
export const WAIT_KINDS = [
  "draft_expiry",
  "rejection_expiry",
  "foc_grace",
  "carrier_silence",
] as const;

export type WaitKind = (typeof WAIT_KINDS)[number];

/** What the clock can bring about with an order; one handler each. */
export type DeadlineKind = DateKind | WaitKind;

/** How long each wait lasts, in milliseconds; 0: for ever. */
export type WaitSpans = Readonly<Record<WaitKind, number>>;

/** Deadlines of a kind that began at or before `until` are due; kinds that are switched off are absent. */
export interface DueKind<K extends string = DeadlineKind> {
  readonly kind: K;
  readonly until: Date;
}

/** What of orders is due now, kind by kind. */
export function dueKinds(now: Date, spans: WaitSpans): DueKind[] {
  const dates = DATE_KINDS.map((kind): DueKind => ({ kind, until: now }));
  const waits = WAIT_KINDS.filter((kind) => spans[kind] > 0).map((kind): DueKind => ({
    kind,
    until: new Date(now.getTime() - spans[kind]),
  }));
  return [...dates, ...waits];
}
