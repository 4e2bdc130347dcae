import { isDeepStrictEqual } from "node:util";
import type { RequirementVerdict, ReviewDecision } from "../../order/rules/decide-review.ts";

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
