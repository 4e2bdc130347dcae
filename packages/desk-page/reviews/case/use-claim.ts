import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useCommand } from "../../../ui/http/command.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { useMay, useOperator } from "../../session.ts";
import { caseKey, PATH, type ReviewCase } from "../reviews.ts";

export interface Claim {
  readonly isMine: boolean;
  /** Whether the operator may decide now: the case is open, and nobody else has claimed it. */
  readonly mayDecide: boolean;
  /** The operator's own claim ended while the case was shown. */
  readonly hasLapsed: boolean;
  readonly isBusy: boolean;
  readonly claim: () => void;
  readonly release: (onDone: () => void) => void;
  readonly takeOver: (reason: string, onDone: () => void) => void;
  readonly assign: (operatorId: string, onDone: () => void) => void;
}

interface Ending {
  readonly onDone?: () => void;
  readonly onFailed?: () => void;
}

/** The claim on a case: taken with the first verdict at the latest, and renewed while one works. */
export function useClaim(review: ReviewCase): Claim {
  const { order_id: id, claimed_by: holder, claimed_until: until, state } = review;
  const client = useQueryClient();
  const { isBusy, act } = useCaseAct(id);
  const { id: me } = useOperator();
  const isMine = holder?.id === me;
  const mayReview = useMay("reviewer");
  const wasMine = useRef(isMine);
  useEffect(() => {
    if (isMine) wasMine.current = true;
  }, [isMine]);
  const end = (name: string, body: unknown, onDone: () => void): void => {
    wasMine.current = false;
    act({ name, body }, { onDone, onFailed: () => (wasMine.current = isMine) });
  };
  const claim = (): void => {
    if (!isBusy) act({ name: "claim", body: {} });
  };
  // What was assigned is seen by claiming it, and lapses like any claim from then on.
  const isNew = isMine && review.handover?.seen_at === null;
  useEffect(() => {
    if (isNew) claim();
  }, [isNew]);
  // Not beside a release, which it might come after.
  const renew = (onFailed: () => void): void =>
    isBusy ? onFailed() : act({ name: "claim", body: {} }, { onFailed });
  useRenewal(isMine ? until : null, renew);
  useLapse(isMine ? until : null, () => client.invalidateQueries({ queryKey: caseKey(id) }));
  return {
    isMine,
    mayDecide: mayReview && state === "open" && (holder === null || isMine),
    hasLapsed: wasMine.current && holder === null && state === "open",
    isBusy,
    claim,
    release: (onDone) => {
      if (!isBusy) end("release", undefined, onDone);
    },
    takeOver: (reason, onDone) =>
      act({ name: "claim", body: { take_over: { reason } } }, { onDone }),
    assign: (operatorId, onDone) => end("assign", { operator_id: operatorId }, onDone),
  };
}

interface CaseAct {
  readonly name: string;
  readonly body: unknown;
}

/** What is done to a case, whose answer is how the case is then; a failure is reported wherever the person is. */
function useCaseAct(id: string) {
  const client = useQueryClient();
  const toasts = useToasts();
  const command = useCommand<ReviewCase>();
  const act = ({ name, body }: CaseAct, { onDone, onFailed }: Ending = {}): void =>
    command.run(
      { path: `${PATH}/${id}/${name}`, body },
      {
        onDone: (changed) => client.setQueryData(caseKey(id), changed),
        whileShown: () => onDone?.(),
        onFailed: (error) => {
          toasts.failed(error);
          onFailed?.();
          void client.invalidateQueries({ queryKey: caseKey(id) });
        },
      },
    );
  return { isBusy: command.isPending, act };
}

/** How soon after one that failed a renewal is tried again. */
const TRY_AGAIN_MS = 5_000;

/** Claims again at the first key or click of a claim's second half. */
function useRenewal(until: string | null, renew: (onFailed: () => void) => void): void {
  const current = useRef(renew);
  useEffect(() => {
    current.current = renew;
  });
  useEffect(() => {
    if (until === null) return;
    let dueAt = (Date.now() + Date.parse(until)) / 2;
    const onWork = (): void => {
      if (Date.now() < dueAt) return;
      dueAt = Infinity;
      current.current(() => (dueAt = Date.now() + TRY_AGAIN_MS));
    };
    document.addEventListener("keydown", onWork);
    document.addEventListener("pointerdown", onWork);
    return () => {
      document.removeEventListener("keydown", onWork);
      document.removeEventListener("pointerdown", onWork);
    };
  }, [until]);
}

/** The service's clock may be a little behind. */
const LATE_MS = 500;

function useLapse(until: string | null, onLapse: () => unknown): void {
  const current = useRef(onLapse);
  useEffect(() => {
    current.current = onLapse;
  });
  useEffect(() => {
    if (until === null) return;
    const timer = setTimeout(
      () => void current.current(),
      Math.max(Date.parse(until) - Date.now(), 0) + LATE_MS,
    );
    return () => clearTimeout(timer);
  }, [until]);
}
