import type { CarrierUpdate } from "../../../services/messages/generated/carrier-update.ts";
import { T0 } from "../orders/order-factory.ts";

/** An update with nothing but a status text; `fields` overrides the defaults. */
export function buildCarrierUpdate(fields: Partial<CarrierUpdate> = {}): CarrierUpdate {
  return {
    update_id: "0198c0de-0000-7000-8000-000000000001",
    provider: "test",
    order_id: "0198c0de-0000-7000-8000-000000000002",
    request_version: 1,
    occurred_at: T0.getTime(),
    raw_status: "SAID",
    kind: null,
    foc_at: null,
    rejection: null,
    phone_numbers: null,
    comment: null,
    operator_id: null,
    ...fields,
  };
}
