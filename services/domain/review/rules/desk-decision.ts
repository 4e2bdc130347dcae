import { isDeepStrictEqual } from "node:util";
import {
  isFinal,
  type RequirementVerdict,
  type ReviewDecision,
} from "../../order/rules/decide-review.ts";
import type { ReviewCase } from "./review-case.ts";

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

function verdictOf({ slug, decision, code, reason }: RequirementVerdict): RequirementVerdict {
  return { slug, decision, code, reason };
}

/** What a case alone records of its decisions. */
export type CaseRecord = Pick<
  ReviewCase,
  "order_id" | "attempt" | "state" | "decisions" | "decided_at" | "decided_by"
>;

/**
 * The decisions that a case records, from before each was stored with an id: verdicts given together share a time, and
 * the decision that closed the case confirmed it unless it rejected something.
 */
export function decisionsOf(one: CaseRecord): (DeskDecision & { readonly at: Date })[] {
  const times = new Set(one.decisions.map(({ at }) => new Date(at).getTime()));
  if (one.decided_at !== null) times.add(one.decided_at.getTime());
  return [...times].map((time) => {
    const given = one.decisions.filter(({ at }) => new Date(at).getTime() === time);
    const closes = one.decided_at?.getTime() === time;
    const { order_id, attempt } = one;
    const operator_id = given[0]?.operator_id ?? one.decided_by ?? "";
    const decisions = given.map(verdictOf);
    const confirm = closes && !isFinal({ decisions, confirm: false });
    return { order_id, attempt, operator_id, decisions, confirm, at: new Date(time) };
  });
}
