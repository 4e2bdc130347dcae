import { derivedId } from "../platform/ids.ts";
import type { EpochMs } from "./epoch-ms.ts";
import type {
  PortingOrderSnapshot,
  PortOut,
  SplitPortingOrder,
} from "./generated/porting-event.ts";

/**
 * Subjects of sample events; none of them exist, and the numbers are from the block reserved for
 * examples.
 */
export const SAMPLE_NUMBER = "+12125550123";
export const SAMPLE_ORDER_ID = derivedId("sample order");
export const SAMPLE_BATCH_ID = derivedId("sample batch");
export const SAMPLE_PORT_OUT_ID = derivedId("sample port-out");

export const SAMPLE_ORDER: PortingOrderSnapshot = {
  id: SAMPLE_ORDER_ID,
  batch_id: SAMPLE_BATCH_ID,
  status: "in_review",
  closed_by: null,
  provider_status: "",
  country_code: "US",
  number_type: "local",
  customer_reference: "test",
  requirements_status: true,
  foc_requested: null,
  foc_actual: null,
  phone_numbers: [SAMPLE_NUMBER],
};

const PART: SplitPortingOrder = {
  id: SAMPLE_ORDER_ID,
  phone_numbers: [SAMPLE_NUMBER],
  country_code: "US",
  number_type: "local",
  losing_carrier: null,
};
/** The orders that a request was split into. */
export const SAMPLE_PARTS: readonly SplitPortingOrder[] = [
  PART,
  {
    ...PART,
    id: derivedId("other sample order"),
    phone_numbers: ["+18005550123"],
    number_type: "toll_free",
  },
];

export function sampleCall(at: EpochMs) {
  return {
    call_id: derivedId("sample call"),
    phone_number: SAMPLE_NUMBER,
    from: "+12125550199",
    to: "+12125550177",
    occurred_at: at,
  };
}

export function samplePortOut(at: EpochMs): PortOut {
  return {
    id: SAMPLE_PORT_OUT_ID,
    phone_numbers: [SAMPLE_NUMBER],
    status: "requested",
    gaining_carrier: "Test Carrier",
    requested_foc: new Date(at).toISOString(),
    foc_actual: null,
    decision_deadline: null,
    decision: null,
    provider_status: "requested",
    created_at: at,
    updated_at: at,
  };
}
