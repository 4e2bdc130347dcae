import { isTooOld } from "../requirement/readiness.ts";
import type { OrderRequirement } from "../requirement/requirement.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order, OrderException } from "./order.ts";
import type { Decision, Story } from "./story.ts";
import { add, allow, begin, canMove, changeRequirements, move, refuse } from "./story.ts";

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

/** A fault of a decision: which slug it is about (null for the whole), and what is wrong. */
export interface DecisionFault {
  readonly slug: string | null;
  readonly code: string;
  readonly detail: string;
}

const UNDER_REVIEW = "requirement-info-under-review";

/** Everything that is wrong with a decision on this order, so that the desk is told at once (spec/desk-api.md). */
export function findDecisionFaults(
  order: Order,
  { decisions, confirm }: Omit<ReviewDecision, "attempt">,
  now: Date,
): DecisionFault[] {
  const seen = new Set<string>();
  const faults = decisions.flatMap((verdict): DecisionFault[] => {
    const repeated = seen.has(verdict.slug);
    seen.add(verdict.slug);
    const fault = repeated ? "repeated" : faultOf(order, verdict);
    return fault === null ? [] : [{ slug: verdict.slug, code: fault, detail: DETAILS[fault] }];
  });
  if (decisions.length === 0 && !confirm) faults.push(whole("nothing_decided"));
  const rejects = decisions.some((verdict) => verdict.decision === "reject");
  if (confirm && rejects) faults.push(whole("confirm_with_rejection"));
  if (confirm && !rejects) faults.push(...undecided(order, seen, now));
  return faults;
}

const DETAILS = {
  repeated: "It is named more than once.",
  unknown_slug: "The order has no such requirement.",
  not_under_review: "It is not under review.",
  reason_required: "A rejection needs a reason.",
  nothing_decided: "Neither decisions nor confirm: nothing is decided.",
  confirm_with_rejection: "An order with a rejected field cannot be confirmed.",
  undecided: "It is still undecided.",
  document_too_old: "The document is too old by now: reject the field.",
} as const;

function whole(code: keyof typeof DETAILS): DecisionFault {
  return { slug: null, code, detail: DETAILS[code] };
}

function faultOf(order: Order, verdict: RequirementVerdict): keyof typeof DETAILS | null {
  const requirement = order.requirements.find(({ slug }) => slug === verdict.slug);
  if (requirement === undefined) return "unknown_slug";
  if (requirement.status !== UNDER_REVIEW) return "not_under_review";
  return verdict.decision === "reject" && (verdict.reason ?? "") === "" ? "reason_required" : null;
}

function undecided(order: Order, decided: ReadonlySet<string>, now: Date): DecisionFault[] {
  return order.requirements.flatMap((requirement): DecisionFault[] => {
    const { slug, mandatory, has_value: hasValue } = requirement;
    const open = requirement.status !== "approved" && !decided.has(slug);
    if (open && (mandatory || hasValue)) {
      return [{ slug, code: "undecided", detail: DETAILS.undecided }];
    }
    if (!isTooOld(requirement, now)) return [];
    return [{ slug, code: "document_too_old", detail: DETAILS.document_too_old }];
  });
}

/** The desk's decision: fields approved or rejected in the order given, then the order's own move. */
export function decideReview(
  order: Order,
  review: ReviewDecision,
  { now }: DecisionContext,
): Decision {
  const story = begin(order);
  if (!canMove(story, "desk_confirm", "submitted") || review.attempt !== order.review_attempt) {
    return refuse("invalid_state", "The order is not under this review.");
  }
  const decided = review.decisions.reduce(withVerdict, story);
  const rejected = review.decisions.filter((verdict) => verdict.decision === "reject");
  if (rejected.length > 0) {
    const exceptions = rejected.map((verdict) => deskException(verdict, now));
    return allow(move(decided, "rejection", now, { exceptions }));
  }
  return allow(review.confirm ? toCarrier(decided, now) : decided);
}

function withVerdict(story: Story, verdict: RequirementVerdict): Story {
  const rejects = verdict.decision === "reject";
  const status = rejects ? "requirement-info-exception" : "approved";
  const reason = rejects ? verdict.reason : null;
  const changed = changeRequirements(story, (requirement) =>
    requirement.slug === verdict.slug
      ? { ...requirement, status, exception_reason: reason, changed: false }
      : requirement,
  );
  return tellRequirement(changed, { slug: verdict.slug, status, reason });
}

/** The timeline entry and `requirement_updated`. */
export function tellRequirement(
  story: Story,
  requirement: Pick<OrderRequirement, "slug" | "status"> & { readonly reason: string | null },
): Story {
  const { slug, status, reason } = requirement;
  return add(
    story,
    { effect: "timeline", kind: "requirement", data: { slug, status, reason } },
    {
      effect: "event",
      type: "porting_order.requirement_updated",
      payload: { porting_order_id: story.order.id, requirement: { slug, status, reason } },
    },
  );
}

function deskException(verdict: RequirementVerdict, now: Date): OrderException {
  return {
    code: verdict.code,
    detail: verdict.reason ?? "",
    slug: verdict.slug,
    raised_by: "desk",
    raised_at: now.toISOString(),
  };
}

/** in_review → submitted: the order leaves for the carrier, as a supplement where it has been there before. */
function toCarrier(story: Story, now: Date): Story {
  const version = story.order.request_version + 1;
  const moved = move(story, "submitted", now, { request_version: version });
  return add(moved, { effect: "carrier_task", kind: version === 1 ? "submit" : "supplement" });
}
