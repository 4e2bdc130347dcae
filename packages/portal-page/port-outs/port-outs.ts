import type { z } from "zod";
import { REJECT_CODE_TITLES } from "../../../services/domain/port-out/rules/rejection-codes.ts";
import type { portOutAnswer } from "../../../services/domain/port-out/answers/port-out-answer.ts";
import { PORT_OUT_WORDS } from "../../ui/port-outs/port-out-words.ts";

export type PortOut = z.infer<typeof portOutAnswer>;

export const PORT_OUTS = "/v2/port_outs";

/** How often an open page looks for what carriers ask for. */
export const LOOK_AGAIN_MS = 15_000;

const DECIDERS = { customer: "you", ops: "the porting desk", system: "the service" } as const;

/** `Rejected by the service: PIN wrong`. */
export function decisionText({ decision, status }: PortOut): string {
  if (decision === null) return PORT_OUT_WORDS[status].name;
  const { by, code } = decision;
  return code === null
    ? `Approved by ${DECIDERS[by]}`
    : `Rejected by ${DECIDERS[by]}: ${REJECT_CODE_TITLES[code]}`;
}

/** What happens, or has happened, with the numbers. */
export function outcomeText({ status, gaining_carrier: carrier }: PortOut): string {
  switch (status) {
    case "requested":
      return "The locks and PINs of the numbers are being checked.";
    case "decision_required":
      return `If nobody decides by then, it goes ahead: a carrier may not hold a port by silence, and ${carrier} may take the numbers.`;
    case "approved":
      return `${carrier} may take the numbers. Calls leave us on the port date.`;
    case "expired":
      return `Nobody decided in time, so it goes ahead: ${carrier} may take the numbers.`;
    case "rejected":
      return "The numbers stay. The carrier may correct its request and ask again.";
    case "cancelled":
      return `${carrier} has withdrawn its request. The numbers stay.`;
    case "ported_out":
      return `The numbers are with ${carrier} now.`;
  }
}
