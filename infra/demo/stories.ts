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

/** The customers' accounts of the demo. */
export const ACCOUNTS = [
  "Brightline Voice",
  "Northgate Telecom",
  "Cobalt Communications",
  "Helio Cloud PBX",
  "Talkwell GmbH",
  "Ligne Claire SAS",
  "Harbour Street Systems",
  "Meridian Contact Centers",
  "Pinecrest Networks",
  "Vela Telephony",
] as const;

/** Those who work at the desk, and as what. */
export const OPERATORS = [
  { name: "Ada Okafor", role: "lead" },
  { name: "Ben Castellano", role: "reviewer" },
  { name: "Clara Weiss", role: "reviewer" },
  { name: "Dmitri Alvarez", role: "reviewer" },
  { name: "Emma Lindqvist", role: "viewer" },
] as const;

export const HOLDERS = [
  "Acorn Dental Group",
  "Birchwood Veterinary Clinic",
  "Castle Row Solicitors",
  "Delmar Auto Repair",
  "Eastside Pediatrics",
  "Fairmont Property Management",
  "Granite Peak Outfitters",
  "Hollis & Reed Accountants",
  "Ironbridge Logistics",
  "Juniper Family Pharmacy",
  "Kestrel Security Services",
  "Larkspur Bakery",
  "Maple Street Insurance",
  "Northern Lights Travel",
  "Orchard Hill School",
  "Pelican Marine Supplies",
  "Quayside Hotel",
  "Redwood Physiotherapy",
  "Sundial Architects",
  "Thornbury Estate Agents",
  "Upland Coffee Roasters",
  "Vintage Motors",
  "Westbrook Community Church",
  "Yellowstone Print & Copy",
] as const;

export const SIGNERS = [
  "Margaret Holloway",
  "James Whitfield",
  "Priya Raman",
  "Thomas Becker",
  "Sofia Marchetti",
  "Daniel O'Connor",
  "Hannah Schulze",
  "Luc Moreau",
  "Rachel Goldstein",
  "Kenji Watanabe",
  "Olivia Barnes",
  "Samuel Adeyemi",
] as const;

export const CUSTOMER_COMMENTS = [
  "The invoice is from last month; the new one is not out yet.",
  "Please port these together with our other order if you can.",
  "Our customer moves offices that week, so the date matters.",
  "Is there anything else that you need from us?",
] as const;

export const OPS_COMMENTS = [
  "We have asked the losing carrier for the account's exact name.",
  "The date is requested; we will confirm as soon as the carrier does.",
  "Please send the page of the invoice that shows the numbers.",
] as const;

export const NOTES = [
  "Called the carrier: their records have the old company name.",
  "Same holder as an order of last week, whose documents were fine.",
  "The customer is in a hurry: look at this one first tomorrow.",
] as const;

/** Repeatable choices: the same seed plays the same stories. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.below(10)).join("");
  }

  pick<T>(all: readonly [T, ...T[]]): T {
    return all[this.below(all.length)] ?? all[0];
  }

  /** By weight. */
  pickWeighted<T extends { readonly weight: number }>(all: readonly [T, ...T[]]): T {
    let rest = this.next() * all.reduce((sum, { weight }) => sum + weight, 0);
    return all.find(({ weight }) => (rest -= weight) < 0) ?? all[0];
  }
}
