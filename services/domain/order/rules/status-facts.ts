import type { DeadlineKind } from "../../deadline/deadline.ts";
import { ORDER_STATUSES, type CancelRequest, type Order, type OrderStatus } from "./order.ts";

/** What the actor of an order's next action is to do (docs/contract/customer-api.md, Porting orders). */
export const NEXT_ACTIONS = [
  "complete_requirements",
  "submit",
  "wait_for_review",
  "wait_for_carrier",
  "fix_requirement",
  "submit_again",
  "wait_for_activation",
  "handle_exception",
  "none",
] as const;

export type Action = (typeof NEXT_ACTIONS)[number];

/** Steps of a port at the carrier, in their order: a status update about a later one implies those before it. */
export const CARRIER_STEPS = ["acknowledged", "carrier_date", "activating"] as const;

export type CarrierStep = (typeof CARRIER_STEPS)[number];

interface StatusFacts {
  /** How an order ends here: with live numbers, or closed without; null where it goes on. */
  readonly end: "live" | "closed" | null;
  /** Fields, date and numbers are the customer's to change. */
  readonly editable: boolean;
  /** Never submitted, so that it may vanish. */
  readonly deletable: boolean;
  /** Whose move it is, and which. */
  readonly actor: "customer" | "desk" | "carrier" | "none";
  readonly action: Action | ((order: Order) => Action);
  /** It stays this actor's move even while the desk is asked to look at the order. */
  readonly beforeDesk: boolean;
  /** What the clock brings about while the order stands here. */
  readonly deadlines: readonly DeadlineKind[];
  /** On the carrier's path, the step that comes next. */
  readonly nextStep: CarrierStep | null;
  /** A case is open at the desk. */
  readonly underReview: boolean;
  /** The numbers are on their way to the platform: too late to cancel. */
  readonly moving: boolean;
}

const OPEN = {
  end: null,
  editable: false,
  deletable: false,
  beforeDesk: false,
  deadlines: [],
  nextStep: null,
  underReview: false,
  moving: false,
} as const;
const ENDED = { ...OPEN, actor: "none", action: "none" } as const;
const WITH_CUSTOMER = { ...OPEN, editable: true, actor: "customer" } as const;
const WITH_CARRIER = { ...OPEN, actor: "carrier", action: "wait_for_carrier" } as const;

function hasException({ requirements }: Order): boolean {
  return requirements.some(({ status }) => status === "requirement-info-exception");
}

/** All that the rules ask about a status; nothing else compares statuses. */
const STATUS_FACTS: Readonly<Record<OrderStatus, StatusFacts>> = {
  draft: {
    ...WITH_CUSTOMER,
    deletable: true,
    action: ({ requirements_status: met }) => (met ? "submit" : "complete_requirements"),
    deadlines: ["draft_expiry"],
  },
  in_review: { ...OPEN, actor: "desk", action: "wait_for_review", underReview: true },
  submitted: { ...WITH_CARRIER, deadlines: ["carrier_silence"], nextStep: "acknowledged" },
  in_process: { ...WITH_CARRIER, nextStep: "carrier_date" },
  rejection: {
    ...WITH_CUSTOMER,
    action: (order) => (hasException(order) ? "fix_requirement" : "submit_again"),
    beforeDesk: true,
    deadlines: ["rejection_expiry"],
  },
  foc_scheduled: {
    ...WITH_CARRIER,
    action: "wait_for_activation",
    deadlines: ["foc_reached", "foc_grace"],
    nextStep: "activating",
  },
  activating: { ...WITH_CARRIER, action: "wait_for_activation", moving: true },
  completed: { ...ENDED, end: "live" },
  completed_partial: { ...ENDED, end: "live" },
  cancel_pending: { ...WITH_CARRIER, deadlines: ["carrier_silence", "foc_reached"] },
  cancelled: { ...ENDED, end: "closed" },
};

export function factsOf(status: OrderStatus): StatusFacts {
  return STATUS_FACTS[status];
}

export function isEnded({ status }: Pick<Order, "status">): boolean {
  return STATUS_FACTS[status].end !== null;
}

export function isEditable({ status }: Pick<Order, "status">): boolean {
  return STATUS_FACTS[status].editable;
}

/** Whether the order waits for a decision on this attempt of its review: a cancellation ends that before the case closes. */
export function isUnderReview(
  { status, review_attempt }: Pick<Order, "status" | "review_attempt">,
  attempt: number,
): boolean {
  return STATUS_FACTS[status].underReview && review_attempt === attempt;
}

/** The statuses in which a case is open at the desk, for statements that look for such orders. */
export const UNDER_REVIEW = ORDER_STATUSES.filter((status) => STATUS_FACTS[status].underReview);

/** The port date is confirmed, and the next step is the move itself. */
export function hasDateConfirmed(status: OrderStatus): boolean {
  return STATUS_FACTS[status].nextStep === "activating";
}

function placeOnPath(status: OrderStatus): number {
  const { nextStep } = STATUS_FACTS[status];
  return nextStep === null ? -1 : CARRIER_STEPS.indexOf(nextStep);
}

/** The later of two statuses on the carrier's path; the first where one of them is not on it. */
export function laterOnPath(one: OrderStatus, other: OrderStatus): OrderStatus {
  return placeOnPath(one) >= 0 && placeOnPath(other) > placeOnPath(one) ? other : one;
}

/** Where an order goes on after the carrier refused to cancel: where it stood, or the later status that was noted. */
export function statusAfterRefusal({ from_status, noted_status }: CancelRequest): OrderStatus {
  return noted_status === null ? from_status : laterOnPath(from_status, noted_status);
}
