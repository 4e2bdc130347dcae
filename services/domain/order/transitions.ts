import type { OrderStatus } from "./order.ts";

/** What can move an order: commands of people, words of carriers, the clock. */
export const TRIGGERS = [
  "submit",
  "desk_confirm",
  "acknowledged",
  "carrier_date",
  "activating",
  "number_active",
] as const;

export type Trigger = (typeof TRIGGERS)[number];

/**
 * The one source of every move (spec/customer-api.md, Transitions): from a status, by a trigger, to one of the statuses
 * named. What is not here is refused, or for a carrier's word noted and nothing else.
 */
export const TRANSITIONS = {
  draft: { submit: ["in_review"] },
  in_review: { desk_confirm: ["submitted"] },
  submitted: { acknowledged: ["in_process"], carrier_date: ["foc_scheduled"] },
  in_process: { carrier_date: ["foc_scheduled"] },
  rejection: { submit: ["in_review"] },
  foc_scheduled: { carrier_date: ["foc_scheduled"], activating: ["activating"] },
  activating: { number_active: ["activating", "completed"] },
  completed: {},
  completed_partial: {},
  cancel_pending: {},
  cancelled: {},
} as const satisfies Record<OrderStatus, Partial<Record<Trigger, readonly OrderStatus[]>>>;

/** The statuses that a trigger may lead to; empty where it moves nothing. */
export function targetsOf(from: OrderStatus, trigger: Trigger): readonly OrderStatus[] {
  const row: Partial<Record<Trigger, readonly OrderStatus[]>> = TRANSITIONS[from];
  return row[trigger] ?? [];
}

/** The steps before a move at the carrier, in order, for words that imply earlier ones. */
export const CARRIER_PATH = [
  { status: "submitted", next: "acknowledged" },
  { status: "in_process", next: "carrier_date" },
  { status: "foc_scheduled", next: "activating" },
] as const satisfies readonly { status: OrderStatus; next: Trigger }[];
