import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { z } from "zod";
import type { deskPortOutAnswer } from "../../../services/desk/port-outs/answers.ts";
import { REJECT_CODE_TITLES } from "../../../services/domain/port-out/rules/rejection-codes.ts";
import { useCountedList } from "../../ui/http/read.ts";
import { PORT_OUT_WORDS } from "../../ui/port-outs/port-out-words.ts";

export type PortOut = z.infer<typeof deskPortOutAnswer>;

const REFETCH_MS = 15_000;

export const PORT_OUTS = "/desk/v1/port_outs";

interface PortOutQuery {
  readonly status: string;
  readonly phone_number: string;
  readonly account_id: string;
  readonly order_by: string;
  readonly order: string;
  readonly starting_after: string;
}

export function usePortOuts(query: PortOutQuery) {
  const client = useQueryClient();
  // The stream tells of orders and cases, not of port-outs.
  useEffect(() => {
    const again = () => void client.invalidateQueries({ queryKey: ["port-outs"] });
    const timer = setInterval(again, REFETCH_MS);
    return () => clearInterval(timer);
  }, [client]);
  return useCountedList<PortOut>("port-outs", PORT_OUTS, { ...query });
}

const DECIDERS = { customer: "The customer", ops: "The desk", system: "The service" } as const;

/** Who decided, as in `Rejected by the customer`. */
export const DECIDED_BY = {
  customer: "the customer",
  ops: "the desk",
  system: "the service",
} as const satisfies Record<NonNullable<PortOut["decision"]>["by"], string>;

/** `The customer approved it: …`, for somebody who came too late to decide. */
export function decidedText({ decision, status }: PortOut): string {
  if (decision === null) return `It is now: ${PORT_OUT_WORDS[status].name}.`;
  const { by, code } = decision;
  return code === null
    ? `${DECIDERS[by]} has approved it already.`
    : `${DECIDERS[by]} has rejected it already (${REJECT_CODE_TITLES[code]}).`;
}
