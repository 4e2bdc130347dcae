import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useCommand } from "../../../ui/http/use-command.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { useMay, useOperator } from "../../session/session.ts";
import { caseKey, PATH } from "../queries.ts";
import type { ReviewCase } from "../types.ts";

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

/** The claim on a case: taken with the first verdict at the latest, and renewed while one works. */
export function useClaim(review: ReviewCase): Claim {
  const { order_id: id, claimed_by: holder, claimed_until: until, state } = review;
  const client = useQueryClient();
  const toasts = useToasts();
  const command = useCommand<ReviewCase>();
  const { id: me } = useOperator();
  const isMine = holder?.id === me;
  const mayReview = useMay("reviewer");
  const wasMine = useRef(isMine);
  useEffect(() => {
    if (isMine) wasMine.current = true;
  }, [isMine]);
  const run = (act: string, body: unknown, onDone?: () => void): void =>
    command.mutate(
      { path: `${PATH}/${id}/${act}`, body },
      {
        onSuccess: (changed) => {
          client.setQueryData(caseKey(id), changed);
          onDone?.();
        },
        onError: (error) => {
          toasts.failed(error);
          void client.invalidateQueries({ queryKey: caseKey(id) });
        },
      },
    );
  const claim = (): void => {
    if (!command.isPending) run("claim", {});
  };
  useRenewal(isMine ? until : null, claim);
  useLapse(isMine ? until : null, () => client.invalidateQueries({ queryKey: caseKey(id) }));
  return {
    isMine,
    mayDecide: mayReview && state === "open" && (holder === null || isMine),
    hasLapsed: wasMine.current && holder === null && state === "open",
    isBusy: command.isPending,
    claim,
    release: (onDone) => {
      wasMine.current = false;
      run("release", undefined, onDone);
    },
    takeOver: (reason, onDone) => run("claim", { take_over: { reason } }, onDone),
    assign: (operatorId, onDone) => {
      wasMine.current = false;
      run("assign", { operator_id: operatorId }, onDone);
    },
  };
}

/** Claims again at the first key or click of a claim's second half. */
function useRenewal(until: string | null, renew: () => void): void {
  const current = useRef(renew);
  useEffect(() => {
    current.current = renew;
  });
  useEffect(() => {
    if (until === null) return;
    const halfway = (Date.now() + Date.parse(until)) / 2;
    let isRenewed = false;
    const onWork = (): void => {
      if (isRenewed || Date.now() < halfway) return;
      isRenewed = true;
      current.current();
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
