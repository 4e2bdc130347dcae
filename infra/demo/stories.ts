/** How far a story goes, and what the desk and the carrier do in it. */
export interface Story {
  readonly name: string;
  readonly weight: number;
  /** Selects the sandbox's outcome (docs/sandbox.md). */
  readonly ending?: string;
  readonly numbers?: number;
  readonly losingCarrier?: string;
  /** Asks for a date that many days ahead. */
  readonly focInDays?: number;
  readonly acts: readonly Act[];
  /** Waits for one of these statuses before the next order. */
  readonly until?: readonly string[];
}

export type Act =
  | "some_values"
  | "fulfil"
  | "submit"
  | "claim"
  | "reject"
  | "correct"
  | "correct_account"
  | "confirm"
  | "wait_rejection"
  | "manual_dates"
  | "manual_reject"
  | "cancel"
  | "port_out";

const IN_REVIEW = ["fulfil", "submit"] as const;
const CONFIRMED = [...IN_REVIEW, "confirm"] as const;
const OUTCOMES = ["completed", "completed_partial", "cancelled", "rejection"] as const;

export const STORIES: readonly [Story, ...Story[]] = [
  { name: "a draft without values", weight: 5, acts: [] },
  { name: "a draft with some values", weight: 7, acts: ["some_values"] },
  { name: "waits for review", weight: 20, acts: IN_REVIEW },
  { name: "under review", weight: 6, acts: [...IN_REVIEW, "claim"] },
  { name: "rejected by the desk", weight: 8, acts: [...IN_REVIEW, "reject"] },
  {
    name: "corrected, waits for review again",
    weight: 8,
    acts: [...IN_REVIEW, "reject", "correct", "submit"],
  },
  {
    name: "corrected and ported",
    weight: 4,
    acts: [...IN_REVIEW, "reject", "correct", "submit", "confirm"],
    until: OUTCOMES,
  },
  { name: "ported", weight: 12, acts: CONFIRMED, until: OUTCOMES },
  { name: "several numbers, ported", weight: 5, numbers: 4, acts: CONFIRMED, until: OUTCOMES },
  {
    name: "ported in part",
    weight: 4,
    numbers: 3,
    ending: "9904",
    acts: CONFIRMED,
    until: OUTCOMES,
  },
  { name: "wrong account number", weight: 3, ending: "9901", acts: CONFIRMED, until: OUTCOMES },
  {
    name: "wrong account number, corrected",
    weight: 2,
    ending: "9901",
    acts: [...CONFIRMED, "wait_rejection", "correct_account", "submit"],
  },
  { name: "refused by the carrier", weight: 3, ending: "9903", acts: CONFIRMED, until: OUTCOMES },
  { name: "no answer of the carrier", weight: 4, ending: "9907", acts: CONFIRMED },
  { name: "moved date", weight: 3, ending: "9906", acts: CONFIRMED, until: OUTCOMES },
  { name: "a date far ahead", weight: 4, ending: "9905", focInDays: 40, acts: CONFIRMED },
  { name: "cancelled by the customer", weight: 3, acts: [...IN_REVIEW, "cancel"] },
  {
    name: "a carrier by phone, with a date",
    weight: 3,
    losingCarrier: "manual",
    acts: [...CONFIRMED, "manual_dates"],
  },
  {
    name: "a carrier by phone, rejected",
    weight: 2,
    losingCarrier: "manual",
    acts: [...CONFIRMED, "manual_reject"],
  },
  { name: "ported, then requested", weight: 4, acts: [...CONFIRMED, "port_out"] },
];
