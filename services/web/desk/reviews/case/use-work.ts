import { useState } from "react";
import { useToasts } from "../../../ui/toasts.tsx";
import { undo, verdictOn, withSeen, withVerdicts, type DraftVerdict } from "../drafts/draft.ts";
import { approval, approveAll } from "../rules/approve-all.ts";
import { inReadingOrder, isUnderReview } from "../rules/field-order.ts";
import { nextOpenField, stepFrom } from "../rules/next-field.ts";
import type { ReviewCase } from "../types.ts";
import type { Claim } from "./use-claim.ts";
import { useDraft } from "./use-draft.ts";

/** The verdicts that an operator gives on a case, field by field. */
export function useWork(review: ReviewCase, claim: Claim) {
  const { draft, change, clear } = useDraft(review.order_id, review.attempt);
  const toasts = useToasts();
  const fields = inReadingOrder(review);
  const open = fields.filter(isUnderReview);
  const [slug, setSlug] = useState<string | null>(null);
  const current = fields.find((one) => one.slug === slug) ?? open[0] ?? fields[0] ?? null;
  const give = (verdicts: readonly DraftVerdict[]): void => {
    if (!claim.isMine) claim.claim();
    change((before) => withVerdicts(before, verdicts));
  };
  const isLeft = (other: string): boolean =>
    other !== current?.slug &&
    open.some((one) => one.slug === other) &&
    verdictOn(draft, other) === null;
  const slugs = fields.map((one) => one.slug);
  const goOn = (from: string): void => setSlug(nextOpenField(slugs, from, isLeft));
  return {
    draft,
    clear,
    fields,
    open,
    current,
    /** The fields that are without a verdict. */
    undecided: open.filter((one) => verdictOn(draft, one.slug) === null),
    select: setSlug,
    step: (by: number) => {
      const next = stepFrom(fields, current, by);
      if (next !== null) setSlug(next.slug);
      return next;
    },
    approve: (which: string) => {
      give([approval(which)]);
      goOn(which);
    },
    reject: (verdict: DraftVerdict) => {
      give([verdict]);
      goOn(verdict.slug);
    },
    approveAll: () => {
      const { verdicts, left } = approveAll(review.requirements, draft);
      if (verdicts.length > 0) give(verdicts);
      if (left.length > 0) {
        const why = left.map((one) => `${one.name}: ${one.why}`).join("; ");
        toasts.notDone(`Left for you: ${left.length}`, `${why}.`);
      }
    },
    undo: () => change(undo),
    seen: (documentId: string) => change((before) => withSeen(before, documentId)),
  };
}

export type Work = ReturnType<typeof useWork>;
