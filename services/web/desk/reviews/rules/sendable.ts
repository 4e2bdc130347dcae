import type { Draft, DraftVerdict } from "../drafts/draft.ts";
import type { ReviewCase } from "../types.ts";
import { isUnderReview } from "./field-order.ts";

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
  { verdicts }: Pick<Draft, "verdicts">,
): Sendable {
  const open = new Set(requirements.filter(isUnderReview).map(({ slug }) => slug));
  // A verdict on what is no longer under review, such as one sent from another window, would be refused.
  const decisions = verdicts.filter(({ slug }) => open.has(slug));
  if (decisions.some(({ decision }) => decision === "reject")) {
    return { kind: "reject", body: { attempt, decisions, confirm: false } };
  }
  const decided = new Set(decisions.map(({ slug }) => slug));
  const undecided = requirements.filter(({ slug }) => open.has(slug) && !decided.has(slug));
  if (undecided.length > 0) {
    return { kind: "incomplete", undecided: undecided.map(({ name }) => name) };
  }
  return { kind: "confirm", body: { attempt, decisions, confirm: true } };
}
