import { verdictOn, type Draft, type DraftVerdict } from "../drafts/draft.ts";
import type { CaseRequirement } from "../types.ts";
import { hasFailedCheck, isUnderReview } from "./field-order.ts";

export interface ApproveAll {
  readonly verdicts: readonly DraftVerdict[];
  /** What was left undecided, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

/** Approves what has no verdict yet, no failed check, and no document that was not shown. */
export function approveAll(requirements: readonly CaseRequirement[], draft: Draft): ApproveAll {
  const open = requirements.filter(
    (one) => isUnderReview(one) && verdictOn(draft, one.slug) === null,
  );
  const left = open.flatMap((one) => {
    const why = whyNot(one, draft);
    return why === null ? [] : [{ slug: one.slug, name: one.name, why }];
  });
  const kept = new Set(left.map(({ slug }) => slug));
  return {
    verdicts: open.filter(({ slug }) => !kept.has(slug)).map(({ slug }) => approval(slug)),
    left: left.map(({ name, why }) => ({ name, why })),
  };
}

function whyNot(one: CaseRequirement, { seen }: Draft): string | null {
  if (hasFailedCheck(one)) return "a check failed";
  if (one.document_id === null || seen.includes(one.document_id)) return null;
  return "its document was not shown";
}

export function approval(slug: string): DraftVerdict {
  return { slug, decision: "approve", code: null, reason: null };
}
