import type { EventPayload } from "../../../messages/events.ts";

export const PORT_OUT_STATUSES = [
  "requested",
  "decision_required",
  "approved",
  "rejected",
  "expired",
  "cancelled",
  "ported_out",
] as const;

export type PortOutStatus = (typeof PORT_OUT_STATUSES)[number];

/** The codes for rejecting a port-out (docs/contract/customer-api.md, Numbers and port-outs). */
export const PORT_OUT_REJECT_CODES = [
  "account_number_invalid",
  "pin_missing",
  "pin_invalid",
  "postal_code_invalid",
  "subscriber_mismatch",
  "number_not_on_account",
  "number_not_active",
  "invalid_request",
  "port_locked",
] as const;

export type PortOutRejectCode = (typeof PORT_OUT_REJECT_CODES)[number];

/** `code` is null if the port-out was approved. */
export interface PortOutDecision {
  readonly by: "customer" | "ops" | "system";
  readonly at: Date;
  readonly code: PortOutRejectCode | null;
  readonly reason: string | null;
}

export interface PortOutNumber {
  readonly phone_number: string;
  /** The order that had brought the number in when it was requested. */
  readonly porting_order_id: string | null;
  /** When the number left; null while it is on the platform. */
  readonly ported_out_at: Date | null;
}

/** Another carrier's request for numbers of one account; (provider, port_out_ref, account_id) is unique. */
export interface PortOut {
  readonly id: string;
  readonly account_id: string;
  readonly provider: string;
  readonly port_out_ref: string;
  readonly status: PortOutStatus;
  readonly numbers: readonly PortOutNumber[];
  readonly gaining_carrier: string;
  readonly requested_foc: string;
  readonly foc_actual: string | null;
  /** When it proceeds without a decision; null if no decision is awaited. */
  readonly decision_deadline: Date | null;
  readonly decision: PortOutDecision | null;
  /** The provider's last status, unchanged. */
  readonly provider_status: string;
  readonly event_sequence: number;
  /** Of the customer's comments, the first that the desk has not answered. */
  readonly unanswered_comment_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

type PortOutSnapshot = EventPayload<"port_out.created">["port_out"];

export function phoneNumbersOf({ numbers }: Pick<PortOut, "numbers">): string[] {
  return numbers.map((number) => number.phone_number);
}

/** The port-out in event payloads, with instants in epoch milliseconds. */
export function portOutSnapshot(portOut: PortOut): PortOutSnapshot {
  const { decision, decision_deadline: deadline } = portOut;
  return {
    id: portOut.id,
    phone_numbers: phoneNumbersOf(portOut),
    status: portOut.status,
    gaining_carrier: portOut.gaining_carrier,
    requested_foc: portOut.requested_foc,
    foc_actual: portOut.foc_actual,
    decision_deadline: deadline?.getTime() ?? null,
    decision: decision === null ? null : { ...decision, at: decision.at.getTime() },
    provider_status: portOut.provider_status,
    created_at: portOut.created_at.getTime(),
    updated_at: portOut.updated_at.getTime(),
  };
}
