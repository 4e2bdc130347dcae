import { isDeepStrictEqual } from "node:util";
import {
  withVerdict,
  type RequirementVerdict,
  type ReviewDecision,
} from "../../order/rules/decide-review.ts";
import type { Order } from "../../order/rules/order.ts";
import { isUnderReview } from "../../order/rules/status-facts.ts";
import { valueKey } from "../../requirement/rules/number-values.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";

/** The verdict on one requirement and who gave it; kept with its case permanently. */
export interface RecordedVerdict extends RequirementVerdict {
  readonly operator_id: string;
  readonly at: string;
}

/** How a lead gave a case to its claimer: taken from another operator, or assigned. */
export interface Handover {
  /** Who had claimed it before, if anyone. */
  readonly from: string | null;
  readonly by: string;
  /** Null where it was assigned. */
  readonly reason: string | null;
  readonly at: string;
  /** When its claimer opened it; null until then. */
  readonly seen_at?: string | null;
}

/** The desk's review case for one submission of an order. */
export interface ReviewCase {
  readonly order_id: string;
  readonly attempt: number;
  readonly account_id: string;
  readonly account_name: string;
  readonly state: "open" | "decided" | "withdrawn";
  readonly outcome: "applied" | "superseded" | null;
  readonly claimed_by: string | null;
  readonly claimed_by_name: string | null;
  readonly claimed_until: Date | null;
  /** Of the latest claim; null where the operator claimed the case without a lead. */
  readonly handover: Handover | null;
  readonly submitted_at: Date;
  readonly due_at: Date;
  readonly changed_slugs: readonly string[];
  /** All verdicts of the case in sequence, including those not yet applied to the order. */
  readonly decisions: readonly RecordedVerdict[];
  readonly decided_at: Date | null;
  readonly decided_by: string | null;
}

/** The operator with a valid claim; null if there is none or it has lapsed. */
export function liveClaimOf(one: ReviewCase, now: Date): string | null {
  const isLive = one.claimed_until !== null && one.claimed_until > now;
  return one.state === "open" && isLive ? one.claimed_by : null;
}

/** The order with every verdict of the case applied; the stored order follows a moment later. */
export function withVerdicts(order: Order, one: ReviewCase): Order {
  if (!isUnderReview(order, one.attempt)) return order;
  const requirements = order.requirements.map((requirement) =>
    one.decisions.filter(({ slug }) => slug === requirement.slug).reduce(withVerdict, requirement),
  );
  return { ...order, requirements };
}

/** The requirements changed since the previous case, without those written again as they were; empty for the first. */
export function changedSlugsOf(order: Order, unchanged: ReadonlySet<string>): string[] {
  if (order.review_attempt === 1) return [];
  const isSame = ({ slug, values }: OrderRequirement): boolean =>
    values.length === 0
      ? unchanged.has(slug)
      : values.every((value) => unchanged.has(valueKey(slug, value.phone_number)));
  const changed = order.requirements.filter((one) => one.changed && !isSame(one));
  return changed.map((one) => one.slug);
}

/** A decision of an operator on the case of one attempt. */
export interface DeskDecision extends ReviewDecision {
  readonly order_id: string;
  readonly operator_id: string;
}

export function isSameDecision(one: DeskDecision, other: DeskDecision): boolean {
  return isDeepStrictEqual(contentOf(one), contentOf(other));
}

function contentOf({ order_id, attempt, operator_id, decisions, confirm }: DeskDecision) {
  return { order_id, attempt, operator_id, confirm, decisions: decisions.map(verdictOf) };
}

function verdictOf(verdict: RequirementVerdict): RequirementVerdict {
  const { slug, phone_number = null, decision, code, reason } = verdict;
  return { slug, phone_number, decision, code, reason };
}
