import type { EventPayload } from "../../../messages/events.ts";
import type { PortOut } from "./port-out.ts";

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
