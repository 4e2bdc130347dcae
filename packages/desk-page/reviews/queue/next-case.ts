import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useCommand, useIsShown } from "../../../ui/http/command.ts";
import { Problem, request, withQuery } from "../../../ui/http/request.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { useMay, useOperator } from "../../session.ts";
import { caseKey, PATH, type Queue, type QueuedCase, type ReviewCase } from "../reviews.ts";
import { nextBodyOf, queryOf, type QueueFilters } from "./filters.ts";

/** What asking for the next case came to. */
type NextCase =
  | { readonly kind: "claimed"; readonly review: ReviewCase; readonly wasMine: boolean }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly error: Error };

/** The operator's own case that comes first in the list, with its claim renewed; null where each is left out. */
async function nextOfMine(
  filters: QueueFilters,
  leftOut: readonly string[],
): Promise<ReviewCase | null> {
  const query = queryOf({ ...filters, after: "" });
  const { data } = await request<Queue>("GET", withQuery(PATH, query));
  const id = data.map((one) => one.order_id).find((one) => !leftOut.includes(one));
  if (id === undefined) return null;
  const idempotencyKey = crypto.randomUUID();
  return request<ReviewCase>("POST", `${PATH}/${id}/claim`, { body: {}, idempotencyKey });
}

/** Opens the next case: of the operator's own where these are shown, else the free one that waits longest. */
export function useNextCase(filters: QueueFilters, search: URLSearchParams) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const command = useCommand<ReviewCase>();
  const release = useCommand<ReviewCase>();
  const toasts = useToasts();
  const isShown = useIsShown();
  const wasMine = filters.view === "mine";
  const claim = async (leftOut: readonly string[]): Promise<NextCase> => {
    try {
      const review = wasMine
        ? await nextOfMine(filters, leftOut)
        : await command.mutateAsync({ path: `${PATH}/next`, body: nextBodyOf(filters) });
      return review === null ? { kind: "none" } : { kind: "claimed", review, wasMine };
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
      if (wasMine) toasts.done("You hold no other case", "Take one of the unclaimed.");
      else toasts.done("No free case is left", "Each case that matches is claimed or decided.");
      navigate(`/reviews?${search.toString()}`);
    } else {
      toasts.failed(next.error);
    }
  };
  const giveBack = (next: NextCase): void => {
    if (next.kind === "claimed" && !next.wasMine) {
      release.mutate({ path: `${PATH}/${next.review.order_id}/release` });
    }
  };
  return {
    /** Claims it without showing it; of the operator's own, none that is `leftOut`. */
    claim,
    show,
    /** Gives back what was claimed and is not shown after all; a claim that this does not reach lapses. */
    giveBack,
    /** What comes after the operator has gone elsewhere is given back. */
    open: (leftOut: readonly string[]): void =>
      void claim(leftOut).then((next) => (isShown() ? show : giveBack)(next)),
    isBusy: command.isPending,
  };
}

/** Opens cases from the queue; the queue's filters go along in the URL, for the next case and the way back. */
export function useOpenCase(search: URLSearchParams) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toasts = useToasts();
  const may = useMay("reviewer");
  const { id: me } = useOperator();
  const pathOf = (orderId: string): string => casePath(orderId, search);
  const claim = async (id: string): Promise<ReviewCase> => {
    const idempotencyKey = crypto.randomUUID();
    try {
      const path = `${PATH}/${id}/claim`;
      return await request<ReviewCase>("POST", path, { body: {}, idempotencyKey });
    } catch (error) {
      if (!(error instanceof Problem && error.status === 409)) throw error;
      toasts.failed(error);
      return request<ReviewCase>("GET", `${PATH}/${id}`);
    }
  };
  return {
    pathOf,
    /** Opens a case at once, and claims it where nobody else has: the claim's answer is what the page awaits. */
    claimed: ({ order_id: id, claimed_by: holder }: QueuedCase): void => {
      if (may && (holder === null || holder.id === me)) {
        const opening = { queryKey: caseKey(id), queryFn: () => claim(id) };
        // What fails is shown by the page.
        client.query({ ...opening, staleTime: 0, retry: false }).catch(() => undefined);
      }
      navigate(pathOf(id));
    },
  };
}

/** The case's address, with the queue's filters. */
export function casePath(orderId: string, search: URLSearchParams): string {
  const text = search.toString();
  return `/reviews/${orderId}${text === "" ? "" : `?${text}`}`;
}
