import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import type { DecisionContext } from "./effects.ts";
import { deskExceptions, requirementUpdate } from "./desk-exceptions.ts";
import type { Order } from "./order.ts";
import {
  add,
  allow,
  begin,
  changeRequirements,
  move,
  refuse,
  takes,
  type Decision,
  type OrderDecision,
} from "./order-decision.ts";
import { isUnderReview } from "./status-facts.ts";

export interface RequirementVerdict {
  readonly slug: string;
  readonly decision: "approve" | "reject";
  readonly code: string | null;
  readonly reason: string | null;
}

export interface ReviewDecision {
  readonly attempt: number;
  readonly decisions: readonly RequirementVerdict[];
  readonly confirm: boolean;
}

/** Applies the desk's decision: fields are approved or rejected in the given order, then the order itself moves. */
export function decideReview(
  order: Order,
  review: ReviewDecision,
  { now }: DecisionContext,
): Decision {
  const decision = begin(order);
  const rejected = review.decisions.filter((verdict) => verdict.decision === "reject");
  const by = rejected.length > 0 ? "desk_reject" : "desk_confirm";
  if (!isUnderReview(order, review.attempt) || !takes(decision, by)) {
    return refuse("invalid_state", "The order is not under this review.");
  }
  const decided = withoutChanges(review, review.decisions.reduce(withVerdict, decision));
  if (by === "desk_reject") {
    const exceptions = deskExceptions(rejected, now.toISOString());
    return allow(move(decided, { by, now, fields: { exceptions } }));
  }
  return allow(review.confirm ? toCarrier(decided, now) : decided);
}

/** Whether a decision ends the case: the order goes to the carrier, or back to the customer. */
export function isFinal({ decisions, confirm }: Omit<ReviewDecision, "attempt">): boolean {
  return confirm || decisions.some((verdict) => verdict.decision === "reject");
}

/** Resets the `changed` marks when a case ends, so that the next case shows only later changes. */
function withoutChanges(review: ReviewDecision, decision: OrderDecision): OrderDecision {
  if (!isFinal(review)) return decision;
  return changeRequirements(decision, (requirement) =>
    requirement.changed ? { ...requirement, changed: false } : requirement,
  );
}

function withVerdict(decision: OrderDecision, verdict: RequirementVerdict): OrderDecision {
  const rejects = verdict.decision === "reject";
  const status = rejects ? "requirement-info-exception" : "approved";
  const reason = rejects ? verdict.reason : null;
  const changed = changeRequirements(decision, (requirement) =>
    requirement.slug === verdict.slug
      ? { ...requirement, status, exception_reason: reason }
      : requirement,
  );
  return publishRequirement(changed, { slug: verdict.slug, status, reason });
}

/** Adds the timeline entry and the `requirement_updated` event. */
export function publishRequirement(
  decision: OrderDecision,
  requirement: Pick<OrderRequirement, "slug" | "status"> & { readonly reason: string | null },
): OrderDecision {
  const { slug, status, reason } = requirement;
  return add(
    decision,
    { effect: "timeline", kind: "requirement", data: { slug, status, reason } },
    {
      effect: "event",
      type: "porting_order.requirement_updated",
      payload: requirementUpdate(decision.order.id, { slug, status, reason }),
    },
  );
}

/** Sends the order to the carrier, as a supplement if the carrier already has an earlier version. */
function toCarrier(decision: OrderDecision, now: Date): OrderDecision {
  const version = decision.order.request_version + 1;
  const moved = move(decision, { by: "desk_confirm", now, fields: { request_version: version } });
  return add(moved, { effect: "carrier_task", kind: version === 1 ? "submit" : "supplement" });
}
