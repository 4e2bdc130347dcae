import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { deskPortOutAnswer } from "../../../desk/port-outs/answers.ts";
import { withQuery } from "../../ui/http/request.ts";
import { listOf } from "../../ui/http/use-read.ts";

export type PortOut = z.infer<typeof deskPortOutAnswer>;

const REFETCH_MS = 15_000;

export const PORT_OUTS = "/desk/v1/port_outs";

export interface PortOutQuery {
  readonly status: string;
  readonly phone_number: string;
  readonly account_id: string;
  readonly order_by: "deadline" | null;
  readonly starting_after: string;
}

export function usePortOuts(query: PortOutQuery) {
  const path = withQuery(PORT_OUTS, { ...query, limit: 50 });
  return useQuery({
    ...listOf<PortOut>("port-outs", path),
    // The stream tells of orders and cases, not of port-outs.
    refetchInterval: REFETCH_MS,
  });
}
