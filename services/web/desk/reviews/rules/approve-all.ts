import { isWholeShown, verdictOn, type Draft, type DraftVerdict } from "../drafts/draft.ts";
import type { CaseRequirement } from "../types.ts";
import { evidenceAgainst } from "./evidence.ts";
import { hasFailedCheck, isUnderReview } from "./field-order.ts";

export interface ApproveAll {
  readonly verdicts: readonly DraftVerdict[];
  /** What is approved only once somebody has said so, knowing what speaks against it. */
  readonly doubtful: readonly Doubt[];
  /** What was left undecided, and why. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

export interface Doubt {
  readonly slug: string;
  readonly name: string;
  readonly against: readonly string[];
}

/** Approves what has no verdict yet, no failed check, no document that was not shown, and nothing that speaks against it. */
export function approveAll(requirements: readonly CaseRequirement[], draft: Draft): ApproveAll {
  const open = requirements.filter(
    (one) => isUnderReview(one) && verdictOn(draft, one.slug) === null,
  );
  const left = open.flatMap((one) => {
    const why = whyNot(one, draft);
    return why === null ? [] : [{ slug: one.slug, name: one.name, why }];
  });
  const kept = new Set(left.map(({ slug }) => slug));
  const approvable = open.filter(({ slug }) => !kept.has(slug));
  const doubtful = approvable
    .map((one) => ({ slug: one.slug, name: one.name, against: evidenceAgainst(one.matches) }))
    .filter(({ against }) => against.length > 0);
  const doubted = new Set(doubtful.map(({ slug }) => slug));
  return {
    verdicts: approvable.filter(({ slug }) => !doubted.has(slug)).map(({ slug }) => approval(slug)),
    doubtful,
    left: left.map(({ name, why }) => ({ name, why })),
  };
}

function whyNot(one: CaseRequirement, draft: Draft): string | null {
  if (hasFailedCheck(one)) return "a check failed";
  if (one.document_id === null || isWholeShown(draft, one.document_id)) return null;
  const shown = draft.shown[one.document_id];
  if (shown === undefined) return "its document was not shown";
  const { length: count } = shown.pages;
  return `only ${count} of its ${shown.of} pages ${count === 1 ? "was" : "were"} shown`;
}

export function approval(slug: string): DraftVerdict {
  return { slug, decision: "approve", code: null, reason: null };
}
