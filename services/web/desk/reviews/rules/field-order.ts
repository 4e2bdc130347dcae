import { verdictOn, type Draft, type DraftVerdict } from "../drafts/draft.ts";
import type { CaseRequirement, ReviewCase } from "../types.ts";

/** Whether the desk has to decide it. */
export function isUnderReview({ status }: Pick<CaseRequirement, "status">): boolean {
  return status === "requirement-info-under-review";
}

/** What is approved can still be rejected in an open case, such as a letter that has to be signed again. */
export function mayBeRejected({ status }: Pick<CaseRequirement, "status">): boolean {
  return status === "requirement-info-under-review" || status === "approved";
}

/** The draft's verdict, unless the service would refuse it: what was sent from another window may still be there. */
export function liveVerdictOn(
  draft: Pick<Draft, "verdicts">,
  field: Pick<CaseRequirement, "slug" | "status">,
): DraftVerdict | null {
  const verdict = verdictOn(draft, field.slug);
  if (verdict === null) return null;
  const isTaken = verdict.decision === "reject" ? mayBeRejected(field) : isUnderReview(field);
  return isTaken ? verdict : null;
}

export function hasFailedCheck({ checks }: Pick<CaseRequirement, "checks">): boolean {
  return checks.some(({ state }) => state === "failed");
}

/** What is to be decided first, changed fields before others; then what was decided before; then what is empty. */
export function inReadingOrder({
  requirements,
  changed_slugs: changed,
}: Pick<ReviewCase, "requirements" | "changed_slugs">): readonly CaseRequirement[] {
  const rank = (one: CaseRequirement): number => {
    if (isUnderReview(one)) return changed.includes(one.slug) ? 0 : 1;
    return one.field_value === null && one.document_id === null ? 3 : 2;
  };
  return requirements.toSorted((one, other) => rank(one) - rank(other));
}
