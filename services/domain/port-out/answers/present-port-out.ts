import type { PortOut } from "../rules/port-out.ts";
import { phoneNumbersOf } from "../rules/port-out-snapshot.ts";

/** The port-out as the APIs return it (docs/contract/customer-api.md, Numbers and port-outs). */
export function presentPortOut(portOut: Omit<PortOut, "account_id">): Record<string, unknown> {
  return {
    id: portOut.id,
    phone_numbers: phoneNumbersOf(portOut),
    status: portOut.status,
    gaining_carrier: portOut.gaining_carrier,
    requested_foc: portOut.requested_foc,
    foc_actual: portOut.foc_actual,
    decision_deadline: portOut.decision_deadline,
    decision: portOut.decision,
    provider_status: portOut.provider_status,
    created_at: portOut.created_at,
    updated_at: portOut.updated_at,
  };
}
