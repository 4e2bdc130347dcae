import { transitionsOf, type TransitionTable } from "../../../platform/transition-table.ts";
import { ORDER_STATUSES, type Order, type OrderStatus } from "./order.ts";
import { CARRIER_STEPS, factsOf, statusAfterRefusal, type CarrierStep } from "./status-facts.ts";

/** What can move an order: commands of people, status updates of carriers, and time. */
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
  "numbers_settled",
  "cancel_confirmed",
  "cancel_refused",
  "change_refused",
] as const;

export type Trigger = (typeof TRIGGERS)[number];

/** What a move can depend on besides the status. */
const CHOOSERS = {
  contact: ({ request_version: sent }: Order): "never_sent" | "sent" =>
    sent > 0 ? "sent" : "never_sent",
  active: ({ numbers }: Order): "all" | "some" | "none" => {
    const active = numbers.filter(({ status }) => status === "active").length;
    if (active === 0) return "none";
    return active === numbers.length ? "all" : "some";
  },
  before_cancel: ({ cancel, status }: Order): OrderStatus =>
    cancel === null ? status : statusAfterRefusal(cancel),
};

const CANCEL = {
  by: "contact",
  to: { never_sent: "cancelled", sent: "cancel_pending" },
} as const;
const CLOSE_ONCE_SENT = { by: "contact", to: { sent: "cancelled" } } as const;
const END_OF_MOVE = { by: "active", to: { none: "cancelled", some: "completed_partial" } } as const;

/** A number became active anyway: the order must follow, so that every active number is reported. */
const LIVE_ONCE_SENT = { by: "contact", to: { sent: "activating" } } as const;

const AT_CARRIER = {
  carrier_rejected: "rejection",
  carrier_refused: "cancelled",
  cancel_confirmed: "cancelled",
  customer_cancel: "cancel_pending",
  ops_close: "cancel_pending",
  change_refused: "stay",
} as const;

/**
 * The one source of every move (docs/contract/customer-api.md, Transitions): from a status, by a trigger, to a status.
 * Any other move is refused; a carrier's status update is instead ignored and noted in the timeline.
 */
export const TRANSITIONS = {
  draft: { submit: "in_review", customer_cancel: "cancelled", ops_close: "cancelled" },
  in_review: {
    desk_confirm: "submitted",
    desk_reject: "rejection",
    customer_cancel: CANCEL,
    ops_close: CANCEL,
    carrier_refused: CLOSE_ONCE_SENT,
    cancel_confirmed: CLOSE_ONCE_SENT,
    number_active: LIVE_ONCE_SENT,
  },
  submitted: { ...AT_CARRIER, acknowledged: "in_process" },
  in_process: { ...AT_CARRIER, carrier_date: "foc_scheduled" },
  rejection: {
    submit: "in_review",
    customer_cancel: CANCEL,
    ops_close: CANCEL,
    carrier_refused: CLOSE_ONCE_SENT,
    cancel_confirmed: CLOSE_ONCE_SENT,
    number_active: LIVE_ONCE_SENT,
  },
  foc_scheduled: { ...AT_CARRIER, carrier_date: "foc_scheduled", activating: "activating" },
  activating: {
    number_active: "stay",
    number_failed: "stay",
    numbers_settled: {
      by: "active",
      to: { all: "completed", some: "completed_partial", none: "rejection" },
    },
    carrier_rejected: { by: "active", to: { none: "rejection", some: "completed_partial" } },
    carrier_refused: END_OF_MOVE,
    cancel_confirmed: END_OF_MOVE,
  },
  completed: {},
  completed_partial: {},
  cancel_pending: {
    acknowledged: "stay",
    carrier_date: "stay",
    number_failed: "stay",
    change_refused: "stay",
    cancel_confirmed: "cancelled",
    carrier_rejected: "cancelled",
    carrier_refused: "cancelled",
    cancel_refused: {
      by: "before_cancel",
      to: {
        in_review: "in_review",
        submitted: "submitted",
        in_process: "in_process",
        rejection: "rejection",
        foc_scheduled: "foc_scheduled",
      },
    },
    activating: "activating",
    number_active: "activating",
    ops_close: "cancelled",
  },
  cancelled: {},
} as const satisfies TransitionTable<OrderStatus, Trigger, typeof CHOOSERS>;

export const { targetOf, moveOf, targetsOf } = transitionsOf<Order, OrderStatus, Trigger>(
  TRANSITIONS,
  CHOOSERS,
);

/** Whether the carrier owes the answer to a cancellation: it can refuse one. */
export function awaitsCancelAnswer(order: Order): boolean {
  return targetOf(order, "cancel_refused") !== null;
}

/** The carrier steps that a status update implies; steps not yet taken are taken first. */
export const IMPLIED_STEPS: Readonly<Partial<Record<Trigger, readonly CarrierStep[]>>> = {
  carrier_date: ["acknowledged"],
  activating: ["acknowledged", "carrier_date"],
  number_active: CARRIER_STEPS,
  number_failed: CARRIER_STEPS,
};

/** The status to which a carrier step leads; null if no status waits for that step. */
export function statusAfterStep(step: CarrierStep): OrderStatus | null {
  const waiting = ORDER_STATUSES.find((status) => factsOf(status).awaited === step);
  return waiting === undefined ? null : (targetsOf(waiting, step)[0] ?? null);
}
