import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { deskPortOutAnswer } from "../../../requirement-review/port-outs/answers.ts";
import { request, withQuery, type Page } from "../../ui/http/request.ts";

export type PortOut = z.infer<typeof deskPortOutAnswer>;

const REFETCH_MS = 15_000;

export const PORT_OUTS = "/desk/v1/port_outs";

export interface PortOutQuery {
  readonly status: string;
  readonly phone_number: string;
  readonly order_by: "deadline" | null;
  readonly starting_after: string;
}

export function usePortOuts(query: PortOutQuery) {
  const path = withQuery(PORT_OUTS, { ...query, limit: 50 });
  return useQuery({
    queryKey: ["port-outs", "list", path],
    queryFn: ({ signal }) => request<Page<PortOut>>("GET", path, { signal }),
    placeholderData: keepPreviousData,
    // The stream tells of orders and cases, not of port-outs.
    refetchInterval: REFETCH_MS,
  });
}

export function readPortOut(id: string): Promise<PortOut> {
  return request<PortOut>("GET", `${PORT_OUTS}/${id}`);
}
