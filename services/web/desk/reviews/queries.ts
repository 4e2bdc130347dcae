import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { request, withQuery, type Page } from "../../ui/http/request.ts";
import { readOf } from "../../ui/http/use-read.ts";
import type { QueueQuery } from "./queue/filters.ts";
import type { Queue, RejectionReason, ReviewCase } from "./types.ts";

export const PATH = "/desk/v1/reviews";

export function caseKey(orderId: string) {
  return ["reviews", "case", orderId] as const;
}

export const QUEUE_KEY = ["reviews", "queue"] as const;

export function queueQuery(query: QueueQuery) {
  return queryOptions({
    queryKey: [...QUEUE_KEY, query],
    queryFn: ({ signal }) => request<Queue>("GET", withQuery(PATH, query), { signal }),
    placeholderData: keepPreviousData,
  });
}

export function caseQuery(orderId: string) {
  return queryOptions({
    queryKey: caseKey(orderId),
    queryFn: ({ signal }) => request<ReviewCase>("GET", `${PATH}/${orderId}`, { signal }),
    // Each look at sensitive values is recorded, so that what the stream keeps fresh is not fetched needlessly.
    staleTime: 30_000,
  });
}

/** A case that is not opened yet: without sensitive values, so that nobody is recorded to have seen them. */
export function aheadQuery(orderId: string) {
  return queryOptions({
    queryKey: ["reviews", "ahead", orderId] as const,
    queryFn: ({ signal }) =>
      request<ReviewCase>("GET", `${PATH}/${orderId}?masked=true`, { signal }),
    staleTime: 30_000,
  });
}

export function reasonsQuery() {
  return queryOptions({
    ...readOf<Pick<Page<RejectionReason>, "data">>(
      "rejection-reasons",
      "/desk/v1/rejection_reasons",
    ),
    staleTime: Infinity,
  });
}
