/** The sandbox carrier's behaviour by a number's last four digits (docs/sandbox.md). */
const OUTCOME_BY_ENDING = {
  "9901": "account_mismatch",
  "9902": "pin_mismatch",
  "9903": "refusal",
  "9904": "failed_number",
  "9905": "cancel_refused",
  "9906": "date_moved",
  "9907": "silence",
  "9908": "ported_despite_cancel",
  "9909": "twice_and_out_of_order",
} as const;

export type Outcome = (typeof OUTCOME_BY_ENDING)[keyof typeof OUTCOME_BY_ENDING];

const ENDINGS: ReadonlyMap<string, Outcome> = new Map(Object.entries(OUTCOME_BY_ENDING));
const ENDING_LENGTH = 4;

/** Null for a number that ports normally. */
export function outcomeOf(phoneNumber: string): Outcome | null {
  return ENDINGS.get(phoneNumber.slice(-ENDING_LENGTH)) ?? null;
}

/** The outcomes that the numbers of an order select. */
export function outcomesOf(phoneNumbers: readonly string[]): ReadonlySet<Outcome> {
  return new Set(phoneNumbers.map(outcomeOf).filter((outcome) => outcome !== null));
}
