import { useEffect, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useSearchParams } from "wouter";
import { useIsShown } from "../../../ui/http/command.ts";
import { Problem, request, withQuery } from "../../../ui/http/request.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { filtersOf, queryOf } from "../queue/filters.ts";
import { casePath, type useNextCase } from "../queue/next-case.ts";
import { caseKey, orderTitle, PATH, type Queue, type ReviewCase } from "../reviews.ts";
import {
  EMPTY_DRAFT,
  keepDraft,
  lastDecided,
  readDraft,
  undo,
  verdictOn,
  withShown,
  withVerdicts,
  type Draft,
  type DraftVerdict,
} from "./draft.ts";
import { sendHeld, useSending } from "./sending.ts";
import type { Claim } from "./use-claim.ts";
import {
  approval,
  approveAll,
  inReadingOrder,
  isUnderReview,
  nextOpenField,
  sendableOf,
  stepFrom,
  type Doubt,
} from "./verdicts.ts";

/** The verdicts that an operator gives on a case, field by field. */
export function useWork(review: ReviewCase, claim: Claim) {
  const { draft, change, clear } = useDraft(review.order_id, review.attempt);
  const toasts = useToasts();
  const isOpen = review.state === "open";
  useEffect(() => {
    if (!isOpen) clear();
  }, [isOpen]);
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
      const { verdicts, doubtful, left } = approveAll(review, draft);
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

/** Sends the whole draft as one decision, and goes on; the draft stays until the service has taken it. */
export function useSend(review: ReviewCase, draft: Draft, next: ReturnType<typeof useNextCase>) {
  const toasts = useToasts();
  const sending = useSending();
  const isShown = useIsShown();
  const [search] = useSearchParams();
  const { order_id: orderId } = review;
  const sendable = sendableOf(review, draft);
  const held = sending.of(orderId);
  const send = (): void => {
    if (next.isBusy) return;
    if (held !== null) {
      void sendHeld();
    } else if (sendable.kind === "incomplete") {
      const names = sendable.undecided.join(", ");
      toasts.notDone("Not sent yet", `Without a verdict: ${names}.`);
    } else {
      const title = orderTitle(orderId, review.order.customer_reference);
      const wait = sending.send({ ...sendable, orderId, title, search: search.toString() });
      void next.claim([orderId, ...sending.ids]).then((following) => {
        if (following.kind === "claimed" && !following.wasMine)
          wait.claimedNext(following.review.order_id);
        if (isShown() && !wait.isUndone()) next.show(following);
        else next.giveBack(following);
      });
    }
  };
  return {
    sendable,
    send,
    /** Whether the draft is on its way. */
    isHeld: held !== null,
    undo: sending.undo,
    isBusy: held?.isSent === true || next.isBusy,
  };
}

/** Cases that were skipped since the page was loaded; they come back after all others. */
const skipped = new Set<string>();

interface Skipping {
  /** Whether the case is claimed by who skips it. */
  readonly isMine: boolean;
  /** The queue's filters. */
  readonly search: URLSearchParams;
}

/** Goes to another case without a decision: to a free one, releasing this one; among the operator's own, to the next of them. */
export function useSkip({ order_id: id }: ReviewCase, { isMine, search }: Skipping) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toasts = useToasts();
  const [isBusy, setIsBusy] = useState(false);
  const isShown = useIsShown();
  const claimNext = async (): Promise<void> => {
    const filters = filtersOf(search);
    const isAmongMine = filters.view === "mine";
    const view = isAmongMine ? "mine" : "unclaimed";
    const query = queryOf({ ...filters, view, after: "" });
    // Not by the queue's query, which asks again for seconds while there is no connection.
    const { data } = await request<Queue>("GET", withQuery(PATH, query));
    if (!isShown()) return;
    skipped.add(id);
    const others = data.map(({ order_id }) => order_id).filter((other) => other !== id);
    const fresh = others.filter((other) => !skipped.has(other));
    if (fresh.length === 0) skipped.clear();
    const next = await claimFirst(fresh.length === 0 ? others : fresh);
    if (next === null) {
      toasts.done(isAmongMine ? "You hold no other case" : "No other free case is left");
      return;
    }
    if (!isShown()) {
      if (!isAmongMine) await request("POST", `${PATH}/${next.order_id}/release`);
      return;
    }
    client.setQueryData(caseKey(next.order_id), next);
    navigate(casePath(next.order_id, search));
    if (isMine && !isAmongMine) await request("POST", `${PATH}/${id}/release`);
  };
  const skip = (): void => {
    if (isBusy) return;
    setIsBusy(true);
    claimNext()
      .catch((error: unknown) => toasts.failed(error))
      .finally(() => setIsBusy(false));
  };
  return { skip, isBusy };
}

/** Claims the first of the cases that nobody else claims in the meantime. */
async function claimFirst(ids: readonly string[]): Promise<ReviewCase | null> {
  for (const id of ids) {
    try {
      const idempotencyKey = crypto.randomUUID();
      return await request<ReviewCase>("POST", `${PATH}/${id}/claim`, { body: {}, idempotencyKey });
    } catch (error) {
      if (!(error instanceof Problem && error.status === 409)) throw error;
    }
  }
  return null;
}
