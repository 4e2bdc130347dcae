import { judged } from "../../requirement/rules/number-values.ts";
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
  /** Whose value it is on, where each number has its own; without it, on all that are given. */
  readonly phone_number?: string | null;
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
  const slugs = new Set(review.decisions.map(({ slug }) => slug));
  const bySlug = [...slugs].map((slug) => review.decisions.filter((one) => one.slug === slug));
  const decided = withoutChanges(review, bySlug.reduce(withVerdicts, decision));
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

/** The requirement after the verdicts on it, or on values of it. */
export function withVerdict(
  requirement: OrderRequirement,
  { phone_number: number = null, decision, reason }: RequirementVerdict,
): OrderRequirement {
  const phone_numbers = number === null ? null : [number];
  return decision === "reject"
    ? judged(requirement, { status: "requirement-info-exception", reason, phone_numbers })
    : judged(requirement, { status: "approved", reason: null, phone_numbers });
}

/** The verdicts on one requirement. Values that are left to be decided keep it under review, without an event. */
function withVerdicts(
  decision: OrderDecision,
  verdicts: readonly RequirementVerdict[],
): OrderDecision {
  const slug = verdicts[0]?.slug;
  const changed = changeRequirements(decision, (requirement) =>
    requirement.slug === slug ? verdicts.reduce(withVerdict, requirement) : requirement,
  );
  const requirement = changed.order.requirements.find((one) => one.slug === slug);
  if (requirement === undefined || requirement.status === "requirement-info-under-review") {
    return changed;
  }
  return publishRequirement(changed, requirement);
}

/** Adds the timeline entry and the `requirement_updated` event. */
export function publishRequirement(
  decision: OrderDecision,
  {
    slug,
    status,
    exception_reason: reason,
  }: Pick<OrderRequirement, "slug" | "status" | "exception_reason">,
): OrderDecision {
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

interface FieldInException {
  readonly slug: string;
  readonly reason: string;
  /** The numbers whose values are concerned, where each has its own; null for all. */
  readonly phone_numbers: readonly string[] | null;
}

/** Marks the requirement, so that the customer can correct it. */
export function withFieldInException(
  decision: OrderDecision,
  { slug, reason, phone_numbers }: FieldInException,
): OrderDecision {
  const status = "requirement-info-exception";
  const flagged = changeRequirements(decision, (requirement) =>
    requirement.slug === slug
      ? judged(requirement, { status, reason, phone_numbers })
      : requirement,
  );
  const requirement = flagged.order.requirements.find((one) => one.slug === slug);
  return requirement === undefined ? flagged : publishRequirement(flagged, requirement);
}

/** Sends the order to the carrier, as a supplement if the carrier already has an earlier version. */
function toCarrier(decision: OrderDecision, now: Date): OrderDecision {
  const version = decision.order.request_version + 1;
  const moved = move(decision, { by: "desk_confirm", now, fields: { request_version: version } });
  return add(moved, { effect: "carrier_task", kind: version === 1 ? "submit" : "supplement" });
}
