import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useCommand } from "../../../ui/http/use-command.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { useMay, useOperator } from "../../session/session.ts";
import { caseKey, PATH } from "../queries.ts";
import type { QueuedCase, ReviewCase } from "../types.ts";

/** Opens cases from the queue; the queue's filters go along in the URL, for the next case and the way back. */
export function useOpenCase(search: URLSearchParams) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const claim = useCommand<ReviewCase>();
  const toasts = useToasts();
  const may = useMay("reviewer");
  const { id: me } = useOperator();
  const pathOf = (orderId: string): string => casePath(orderId, search);
  return {
    pathOf,
    /** Opens a case at once, and claims it where nobody else has. */
    claimed: ({ order_id: id, claimed_by: holder }: QueuedCase): void => {
      navigate(pathOf(id));
      if (!may || (holder !== null && holder.id !== me)) return;
      claim.mutate(
        { path: `${PATH}/${id}/claim` },
        {
          onSuccess: (claimed) => client.setQueryData(caseKey(id), claimed),
          onError: (error) => {
            toasts.failed(error);
            void client.invalidateQueries({ queryKey: caseKey(id) });
          },
        },
      );
    },
  };
}

/** The case's address, with the queue's filters. */
export function casePath(orderId: string, search: URLSearchParams): string {
  const text = search.toString();
  return `/reviews/${orderId}${text === "" ? "" : `?${text}`}`;
}
