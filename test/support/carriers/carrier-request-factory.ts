import type { CarrierRequest } from "../../../services/messages/generated/carrier-request.ts";

/** A submit to the sandbox; `fields` overrides the defaults. */
export function buildCarrierRequest(fields: Partial<CarrierRequest> = {}): CarrierRequest {
  return {
    request_id: "01a1fc57-b585-7195-84b0-011dca65599f",
    provider: "sandbox",
    kind: "submit",
    order_id: "01a1fc57-b585-7195-84b0-000000000001",
    request_version: 1,
    phone_numbers: ["+12125551234", "+12125551235"],
    requirements: [],
    documents: [],
    foc_requested: null,
    foc_actual: null,
    port_out: null,
    forwarding: null,
    requested_at: null,
    losing_carrier: null,
    country_code: null,
    number_type: null,
    change: null,
    ...fields,
  };
}
