import { findExceptionCode } from "./exception-catalogue.ts";
import { add, move, type Move, type OrderDecision } from "./order-decision.ts";
import { withRestCancelled } from "./order-numbers.ts";
import type { ClosedBy, ClosedReason } from "./order.ts";
import { factsOf } from "./status-facts.ts";
import type { StatusUpdate } from "./status-update.ts";

/** Why the clock ended an order: a draft or a rejection that nobody touched in time. */
export const DRAFT_EXPIRED: ClosedReason = {
  code: "draft_expired",
  detail: "The draft was not submitted in time.",
  raised_by: "system",
};
export const REJECTION_EXPIRED: ClosedReason = {
  code: "rejection_expired",
  detail: "The rejection was not resolved in time.",
  raised_by: "system",
};
export const DRAFT_DELETED: ClosedReason = {
  code: null,
  detail: "The customer deleted the draft.",
  raised_by: "customer",
};

const NO_REASON_GIVEN = {
  customer: "The customer gave no reason.",
  desk: "The porting desk gave no reason.",
} as const;

/** The reason of a cancellation in the words of who asked for it. */
export function reasonOfCancel(by: "customer" | "ops", words: string | null): ClosedReason {
  const raised_by = by === "ops" ? "desk" : by;
  return { code: null, detail: words ?? NO_REASON_GIVEN[raised_by], raised_by };
}

/** How a carrier can end an order for good, or leave a change of it out. */
type CarrierEnding = "carrier_rejected" | "carrier_refused" | "cancel_confirmed" | "change_refused";

const UNEXPLAINED = {
  carrier_rejected: "The losing carrier rejected the order and gave no reason.",
  carrier_refused: "The losing carrier refused the order and gave no reason.",
  cancel_confirmed: "The losing carrier cancelled the order and gave no reason.",
  change_refused: "The losing carrier refused the change and gave no reason.",
} as const satisfies Record<CarrierEnding, string>;

/** The carrier's reason in its own words, else the catalogue's. */
export function reasonOfCarrier(
  by: CarrierEnding,
  { code, text }: Pick<StatusUpdate, "code" | "text">,
): ClosedReason {
  const known = findExceptionCode(code);
  const fallback = code === null ? UNEXPLAINED[by] : known.detail;
  return {
    code: known.code,
    detail: text === null || text === "" ? fallback : text,
    raised_by: "carrier",
  };
}

interface Closing extends Pick<Move, "by" | "now"> {
  readonly closedBy: ClosedBy;
  readonly reason: ClosedReason;
}

/** Closes the order; numbers that did not become active are cancelled with it, and nothing is left to correct. */
export function closeOrder(
  decision: OrderDecision,
  { by, now, closedBy, reason }: Closing,
): OrderDecision {
  const numbers = withRestCancelled(decision.order.numbers);
  const fields = {
    closed_by: closedBy,
    closed_reason: reason,
    exceptions: [],
    numbers,
    attention: null,
  };
  return withoutDates(move(withoutCase(decision), { by, now, fields }));
}

/** Withdraws the open case at the desk if the order leaves review without a decision. */
export function withoutCase(decision: OrderDecision): OrderDecision {
  if (!factsOf(decision.order.status).underReview) return decision;
  const attempt = decision.order.review_attempt;
  return add(decision, { effect: "review_request", kind: "withdraw_case", attempt });
}

/** Removes the deadline of the confirmed date. */
export function withoutDates(decision: OrderDecision): OrderDecision {
  return add(decision, { effect: "deadline", kind: "foc_reached", due_at: null });
}
