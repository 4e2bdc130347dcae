import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { Problem } from "../../../ui/http/problem.ts";
import { useCommand } from "../../../ui/http/use-command.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { caseKey, PATH } from "../queries.ts";
import type { ReviewCase } from "../types.ts";
import { useIsShown } from "../../../ui/use-is-shown.ts";
import { nextBodyOf, type QueueFilters } from "./filters.ts";
import { casePath } from "./use-open-case.ts";

/** What asking for the next case came to. */
export type NextCase =
  | { readonly kind: "claimed"; readonly review: ReviewCase }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly error: Error };

/** Claims and opens the free case that waits longest. */
export function useNextCase(filters: QueueFilters, search: URLSearchParams) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const command = useCommand<ReviewCase>();
  const release = useCommand<ReviewCase>();
  const toasts = useToasts();
  const isShown = useIsShown();
  const claim = async (): Promise<NextCase> => {
    try {
      const body = nextBodyOf(filters);
      return {
        kind: "claimed",
        review: await command.mutateAsync({ path: `${PATH}/next`, body }),
      };
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return { kind: "none" };
      if (error instanceof Error) return { kind: "failed", error };
      throw error;
    }
  };
  const show = (next: NextCase): void => {
    if (next.kind === "claimed") {
      client.setQueryData(caseKey(next.review.order_id), next.review);
      navigate(casePath(next.review.order_id, search));
    } else if (next.kind === "none") {
      toasts.done("No free case is left", "Each case that matches is claimed or decided.");
      navigate(`/reviews?${search.toString()}`);
    } else {
      toasts.failed(next.error);
    }
  };
  const giveBack = (next: NextCase): void => {
    if (next.kind === "claimed") {
      release.mutate({ path: `${PATH}/${next.review.order_id}/release` });
    }
  };
  return {
    /** Claims it without showing it. */
    claim,
    show,
    /** Gives back what was claimed and is not shown after all; a claim that this does not reach lapses. */
    giveBack,
    /** What comes after the operator has gone elsewhere is given back. */
    open: (): void => void claim().then((next) => (isShown() ? show : giveBack)(next)),
    isBusy: command.isPending,
  };
}
