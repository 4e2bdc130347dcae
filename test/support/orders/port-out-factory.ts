import type { PortOut, PortOutStatus } from "../../../services/domain/port-out/rules/port-out.ts";
import { T0 } from "./order-factory.ts";

export const TOMORROW = new Date(T0.getTime() + 86_400_000);
/** The numbers of each port-out here. */
export const LEAVING = ["+12125550101", "+12125550102"];

/** A port-out in a status that it reached without detours; `fields` overrides the defaults. */
export function portOutIn(status: PortOutStatus, fields: Partial<PortOut> = {}): PortOut {
  return {
    id: "01a19b7c-a687-7195-84b0-000000000001",
    account_id: "01a19b7c-a687-7195-84b0-000000000002",
    provider: "sandbox",
    port_out_ref: "ref-1",
    status,
    numbers: LEAVING.map((phone_number) => ({
      phone_number,
      porting_order_id: null,
      ported_out_at: status === "ported_out" ? T0 : null,
    })),
    gaining_carrier: "Other Telecom",
    requested_foc: "2026-11-20T10:00:00+01:00",
    foc_actual: null,
    decision_deadline: status === "decision_required" ? TOMORROW : null,
    decision: null,
    provider_status: "requested",
    event_sequence: 2,
    unanswered_comment_at: null,
    created_at: T0,
    updated_at: T0,
    ...fields,
  };
}
