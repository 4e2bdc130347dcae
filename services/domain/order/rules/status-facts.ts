import type { DeadlineKind } from "../../deadline/deadline.ts";
import { ORDER_STATUSES, type CancelRequest, type Order, type OrderStatus } from "./order.ts";

/** The next actions of an order (docs/contract/customer-api.md, Porting orders). */
export const NEXT_ACTIONS = [
  "complete_requirements",
  "submit",
  "wait_for_review",
  "wait_for_carrier",
  "fix_requirement",
  "submit_again",
  "wait_for_activation",
  "confirm_date",
  "handle_exception",
  "none",
] as const;

export type Action = (typeof NEXT_ACTIONS)[number];

/** Steps of a port at the carrier, in sequence; a status update about a later one implies those before it. */
export const CARRIER_STEPS = ["acknowledged", "carrier_date", "activating"] as const;

export type CarrierStep = (typeof CARRIER_STEPS)[number];

/** What a carrier owes an order: the next step of the port, word of each number, or the answer to a cancellation. */
export type CarrierDuty = CarrierStep | "numbers" | "cancel_answer";

/** Actions that depend on more than the status; next-action.ts chooses. */
export type ActionByOrder = "complete_or_submit" | "fix_or_submit_again";

interface CommonFacts {
  /** How an order ends in this status: with active numbers or closed without; null if it has not ended. */
  readonly end: "live" | "closed" | null;
  /** The customer can change the requirements, the date and the numbers. */
  readonly editable: boolean;
  /** Never submitted, so it may be deleted. */
  readonly deletable: boolean;
  /** How the actor has to act next. */
  readonly action: Action | ActionByOrder;
  /** The next action stays with this actor even while the desk is alerted. */
  readonly beforeDesk: boolean;
  /** The deadlines that apply in this status. */
  readonly deadlines: readonly DeadlineKind[];
  /** A case is open at the desk. */
  readonly underReview: boolean;
}

/** Who has to act next; a status in which that is the carrier says what is awaited of it. */
type ActingParty =
  | { readonly actor: "customer" | "desk" | "none"; readonly awaited: null }
  | { readonly actor: "carrier"; readonly awaited: CarrierDuty };

type StatusFacts = CommonFacts & ActingParty;

const OPEN = {
  end: null,
  editable: false,
  deletable: false,
  beforeDesk: false,
  deadlines: [],
  underReview: false,
} as const;
const ENDED = { ...OPEN, actor: "none", awaited: null, action: "none" } as const;
const WITH_CUSTOMER = { ...OPEN, editable: true, actor: "customer", awaited: null } as const;
const WITH_CARRIER = { ...OPEN, actor: "carrier", action: "wait_for_carrier" } as const;

/** Everything that the rules need to know about a status; no other code compares statuses. */
const STATUS_FACTS: Readonly<Record<OrderStatus, StatusFacts>> = {
  draft: {
    ...WITH_CUSTOMER,
    deletable: true,
    action: "complete_or_submit",
    deadlines: ["draft_expiry"],
  },
  in_review: {
    ...OPEN,
    actor: "desk",
    awaited: null,
    action: "wait_for_review",
    underReview: true,
  },
  submitted: { ...WITH_CARRIER, deadlines: ["carrier_silence"], awaited: "acknowledged" },
  in_process: { ...WITH_CARRIER, awaited: "carrier_date" },
  rejection: {
    ...WITH_CUSTOMER,
    action: "fix_or_submit_again",
    beforeDesk: true,
    deadlines: ["rejection_expiry"],
  },
  foc_scheduled: {
    ...WITH_CARRIER,
    action: "wait_for_activation",
    deadlines: ["foc_reached", "foc_grace", "date_confirmation"],
    awaited: "activating",
  },
  activating: { ...WITH_CARRIER, action: "wait_for_activation", awaited: "numbers" },
  completed: { ...ENDED, end: "live" },
  completed_partial: { ...ENDED, end: "live" },
  cancel_pending: {
    ...WITH_CARRIER,
    deadlines: ["carrier_silence", "foc_reached"],
    awaited: "cancel_answer",
  },
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

/** Whether the order awaits a decision on this review attempt; a cancellation ends that before the case closes. */
export function isUnderReview(
  { status, review_attempt }: Pick<Order, "status" | "review_attempt">,
  attempt: number,
): boolean {
  return STATUS_FACTS[status].underReview && review_attempt === attempt;
}

/** The statuses in which a case is open at the desk, for statements that look for such orders. */
export const UNDER_REVIEW = ORDER_STATUSES.filter((status) => STATUS_FACTS[status].underReview);

/** Whether the FOC date is confirmed and activation is the next step. */
export function hasDateConfirmed(status: OrderStatus): boolean {
  return STATUS_FACTS[status].awaited === "activating";
}

/** Whether the numbers are being moved: too late to cancel. */
export function isMovingNumbers(status: OrderStatus): boolean {
  return STATUS_FACTS[status].awaited === "numbers";
}

/** Whether the carrier's answer to a cancellation is awaited. */
export function isCancelling(status: OrderStatus): boolean {
  return STATUS_FACTS[status].awaited === "cancel_answer";
}

function positionOnPath(status: OrderStatus): number {
  const { awaited } = STATUS_FACTS[status];
  return CARRIER_STEPS.findIndex((step) => step === awaited);
}

/** Whether the carrier has the order and does not move its numbers yet, so that it can be asked for a change. */
export function isAtCarrier(status: OrderStatus): boolean {
  return positionOnPath(status) >= 0;
}

/** The later of two statuses on the carrier's path; the first if either is not on it. */
function laterOnPath(one: OrderStatus, other: OrderStatus): OrderStatus {
  return positionOnPath(one) >= 0 && positionOnPath(other) > positionOnPath(one) ? other : one;
}

/** The status after the carrier refused to cancel: the earlier status, or a later one noted in the meantime. */
export function statusAfterRefusal({ from_status, noted_status }: CancelRequest): OrderStatus {
  return noted_status === null ? from_status : laterOnPath(from_status, noted_status);
}
