import type { Draft, DraftVerdict } from "../drafts/draft.ts";
import type { ReviewCase } from "../types.ts";
import { isUnderReview, liveVerdictOn } from "./field-order.ts";

/** The body of `POST /reviews/{order_id}/decision`. */
export interface DecisionBody {
  readonly attempt: number;
  readonly decisions: readonly DraftVerdict[];
  readonly confirm: boolean;
}

export type Sendable =
  | { readonly kind: "reject" | "confirm"; readonly body: DecisionBody }
  | { readonly kind: "incomplete"; readonly undecided: readonly string[] };

/** One decision of the whole draft: it returns the order to the customer, or sends it to the carrier. */
export function sendableOf(
  { attempt, requirements }: Pick<ReviewCase, "attempt" | "requirements">,
  draft: Pick<Draft, "verdicts">,
): Sendable {
  const live = new Set(requirements.map((field) => liveVerdictOn(draft, field)));
  const decisions = draft.verdicts.filter((verdict) => live.has(verdict));
  if (decisions.some(({ decision }) => decision === "reject")) {
    return { kind: "reject", body: { attempt, decisions, confirm: false } };
  }
  const decided = new Set(decisions.map(({ slug }) => slug));
  const undecided = requirements.filter((one) => isUnderReview(one) && !decided.has(one.slug));
  if (undecided.length > 0) {
    return { kind: "incomplete", undecided: undecided.map(({ name }) => name) };
  }
  return { kind: "confirm", body: { attempt, decisions, confirm: true } };
}
