import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { Problem } from "../../../ui/http/problem.ts";
import { request } from "../../../ui/http/request.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { useMay, useOperator } from "../../session/session.ts";
import { caseKey, PATH } from "../queries.ts";
import type { QueuedCase, ReviewCase } from "../types.ts";

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
