import { useState } from "react";
import { useToasts } from "../../../ui/toasts.tsx";
import {
  EMPTY_DRAFT,
  lastDecided,
  undo,
  verdictOn,
  withShown,
  withVerdicts,
  type Draft,
  type DraftVerdict,
} from "../drafts/draft.ts";
import { keepDraft, readDraft } from "../drafts/read-draft.ts";
import { approval, approveAll, type Doubt } from "../rules/approve-all.ts";
import { inReadingOrder, isUnderReview } from "../rules/field-order.ts";
import { nextOpenField, stepFrom } from "../rules/next-field.ts";
import type { ReviewCase } from "../types.ts";
import type { Claim } from "./use-claim.ts";

/** The verdicts that an operator gives on a case, field by field. */
export function useWork(review: ReviewCase, claim: Claim) {
  const { draft, change, clear } = useDraft(review.order_id, review.attempt);
  const toasts = useToasts();
  const fields = inReadingOrder(review);
  const open = fields.filter(isUnderReview);
  const [slug, setSlug] = useState<string | null>(null);
  const [doubts, setDoubts] = useState<readonly Doubt[]>([]);
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
      const { verdicts, doubtful, left } = approveAll(review.requirements, draft);
      if (verdicts.length > 0) give(verdicts);
      setDoubts(doubtful);
      if (left.length > 0) {
        const why = left.map((one) => `${one.name}: ${one.why}`).join("; ");
        toasts.notDone(`Left for you: ${left.length}`, `${why}.`);
      }
    },
    /** What `approveAll` left to be asked about, as something speaks against it. */
    doubts,
    settleDoubts: (isApproved: boolean) => {
      if (isApproved) give(doubts.map((one) => approval(one.slug)));
      setDoubts([]);
    },
    /** Takes the last act back, and goes to the first field that it decided. */
    undo: () => {
      const decided = lastDecided(draft);
      const first = fields.find((one) => decided.includes(one.slug)) ?? null;
      change(undo);
      if (first !== null) setSlug(first.slug);
      return first;
    },
    shown: (documentId: string, page: number, of: number) =>
      change((before) => withShown(before, documentId, page, of)),
  };
}

export type Work = ReturnType<typeof useWork>;

/** The unsent work on an attempt, kept over reloads of the page. */
function useDraft(orderId: string, attempt: number) {
  const [draft, setDraft] = useState(() => readDraft(orderId, attempt));
  const change = (next: (before: Draft) => Draft): void =>
    setDraft((before) => {
      const after = next(before);
      keepDraft(orderId, attempt, after);
      return after;
    });
  const clear = (): void => {
    // Where the case has been left, its state changes no more.
    keepDraft(orderId, attempt, EMPTY_DRAFT);
    change(() => EMPTY_DRAFT);
  };
  return { draft, change, clear };
}
