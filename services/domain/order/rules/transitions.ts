import type { OrderStatus } from "./order.ts";

/** What can move an order: commands of people, words of carriers, the clock. */
export const TRIGGERS = [
  "submit",
  "desk_confirm",
  "desk_reject",
  "customer_cancel",
  "ops_close",
  "acknowledged",
  "carrier_date",
  "carrier_rejected",
  "carrier_refused",
  "activating",
  "number_active",
  "number_failed",
  "cancel_confirmed",
  "cancel_refused",
] as const;

export type Trigger = (typeof TRIGGERS)[number];

/** Cancelled at once, or once sent after the carrier's word. */
const CANCEL = ["cancelled", "cancel_pending"] as const;

/**
 * The one source of every move (docs/contract/customer-api.md, Transitions): from a status, by a trigger, to one of the
 * statuses named. What is not here is refused, or for a carrier's word noted and nothing else.
 */
export const TRANSITIONS = {
  draft: { submit: ["in_review"], customer_cancel: ["cancelled"], ops_close: ["cancelled"] },
  in_review: {
    desk_confirm: ["submitted"],
    desk_reject: ["rejection"],
    customer_cancel: CANCEL,
    ops_close: CANCEL,
    carrier_refused: ["cancelled"],
    cancel_confirmed: ["cancelled"],
    number_active: ["activating"],
  },
  submitted: {
    acknowledged: ["in_process"],
    carrier_date: ["foc_scheduled"],
    carrier_rejected: ["rejection"],
    carrier_refused: ["cancelled"],
    cancel_confirmed: ["cancelled"],
    customer_cancel: ["cancel_pending"],
    ops_close: ["cancel_pending"],
  },
  in_process: {
    carrier_date: ["foc_scheduled"],
    carrier_rejected: ["rejection"],
    carrier_refused: ["cancelled"],
    cancel_confirmed: ["cancelled"],
    customer_cancel: ["cancel_pending"],
    ops_close: ["cancel_pending"],
  },
  rejection: {
    submit: ["in_review"],
    customer_cancel: CANCEL,
    ops_close: CANCEL,
    carrier_refused: ["cancelled"],
    cancel_confirmed: ["cancelled"],
    number_active: ["activating"],
  },
  foc_scheduled: {
    carrier_date: ["foc_scheduled"],
    carrier_rejected: ["rejection"],
    carrier_refused: ["cancelled"],
    cancel_confirmed: ["cancelled"],
    activating: ["activating"],
    customer_cancel: ["cancel_pending"],
    ops_close: ["cancel_pending"],
  },
  activating: {
    number_active: ["activating", "completed", "completed_partial"],
    number_failed: ["activating", "completed_partial", "rejection"],
    carrier_rejected: ["rejection", "completed_partial"],
    carrier_refused: ["cancelled", "completed_partial"],
    cancel_confirmed: ["cancelled", "completed_partial"],
  },
  completed: {},
  completed_partial: {},
  cancel_pending: {
    cancel_confirmed: ["cancelled"],
    carrier_rejected: ["cancelled"],
    carrier_refused: ["cancelled"],
    cancel_refused: ["in_review", "submitted", "in_process", "rejection", "foc_scheduled"],
    activating: ["activating"],
    number_active: ["activating"],
    ops_close: ["cancelled"],
  },
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
