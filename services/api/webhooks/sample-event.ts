import { z } from "zod";
import type { EventPayload, SentEventType } from "../../messages/events.ts";
import { derivedId } from "../../platform/ids.ts";
import { newEvent } from "../../domain/event/rules/new-event.ts";
import { serializeEvent } from "../../domain/event/rules/serialize-event.ts";

export interface SampleEnvelope {
  /** A version 7 UUID whose time is `at`. */
  readonly id: string;
  readonly accountId: string;
  readonly at: Date;
}

const ORDER_ID = derivedId("sample order");
const BATCH_ID = derivedId("sample batch");
const PORT_OUT_ID = derivedId("sample port-out");
const DAY_MS = 86_400_000;
/** Of the block that is kept for examples: it reaches nobody. */
const NUMBER = "+12125550123";
const TOLL_FREE_NUMBER = "+18005550123";
const CALLER = "+12125550199";
const FORWARD_TO = "+12125550177";

const ORDER = {
  id: ORDER_ID,
  batch_id: BATCH_ID,
  status: "in_review",
  closed_by: null,
  provider_status: "",
  country_code: "US",
  number_type: "local",
  customer_reference: "test",
  requirements_status: true,
  foc_requested: null,
  foc_actual: null,
  phone_numbers: [NUMBER],
};
/** One of the orders that a request was split into. */
const PART = {
  id: ORDER_ID,
  phone_numbers: [NUMBER],
  country_code: "US",
  number_type: "local",
  losing_carrier: null,
};
const OTHER_PART = {
  ...PART,
  id: derivedId("other sample order"),
  phone_numbers: [TOLL_FREE_NUMBER],
  number_type: "toll_free",
};

/** The body of an event of this type as a webhook shows it; its order, numbers and port-out do not exist. */
export function sampleBody(type: SentEventType, { id, accountId, at }: SampleEnvelope): Buffer {
  const event = newEvent(type, samplePayloads(at)[type], {
    id,
    account_id: accountId,
    order_id: null,
    sequence_key: id,
    order_sequence: null,
    created_at: at,
  });
  return serializeEvent(event, type);
}

const EXAMPLE: SampleEnvelope = {
  id: "0198c0de-0000-7000-8000-000000000001",
  accountId: "0198c0de-0000-7000-8000-000000000002",
  at: new Date("2026-03-02T14:00:00.000Z"),
};
const shownBody = z.record(z.string(), z.unknown());

/** The same body as an object, for the API's description: always the same. */
export function exampleEvent(type: SentEventType): z.output<typeof shownBody> {
  return shownBody.parse(JSON.parse(sampleBody(type, EXAMPLE).toString()));
}

type Payloads = { readonly [T in SentEventType]: EventPayload<T> };

function samplePayloads(at: Date): Payloads {
  return { ...orderPayloads(at), ...numberPayloads(at), ...callPayloads(at), ...portOuts(at) };
}

function orderPayloads(at: Date) {
  const comment = {
    id: derivedId("sample comment"),
    body: "This is a test.",
    author_type: "ops",
    created_at: at.getTime(),
  };
  return {
    "porting_order.created": {
      porting_order: { ...ORDER, status: "draft", requirements_status: false },
    },
    "porting_order.split": { batch_id: BATCH_ID, porting_orders: [PART, OTHER_PART] },
    "porting_order.deleted": {
      porting_order_id: ORDER_ID,
      batch_id: BATCH_ID,
      customer_reference: "test",
      phone_numbers: [NUMBER],
      deleted_at: at.getTime(),
      deleted_by: "customer",
    },
    "porting_order.status_changed": {
      porting_order: ORDER,
      previous_status: "draft",
      new_status: "in_review",
    },
    "porting_order.requirement_updated": {
      porting_order_id: ORDER_ID,
      requirement: { slug: "loa", status: "approved", reason: null },
    },
    "porting_order.new_comment": { porting_order_id: ORDER_ID, comment },
    "loa.signed": {
      porting_order_id: ORDER_ID,
      document_id: derivedId("sample document"),
      sha256: "0".repeat(64),
      signer_name: "Test Signer",
      signed_at: at.getTime(),
    },
  };
}

function numberPayloads(at: Date) {
  return {
    "number.activated": {
      phone_number: NUMBER,
      porting_order_id: ORDER_ID,
      country_code: "US",
      number_type: "local",
      activated_at: at.getTime(),
    },
    "number.provider_changed": {
      phone_number: NUMBER,
      previous_provider: "sandbox",
      new_provider: "manual",
      forwarding_reapplied: false,
    },
    "number.ported_out": {
      phone_number: NUMBER,
      port_out_id: PORT_OUT_ID,
      gaining_carrier: "Test Carrier",
      ported_out_at: at.getTime(),
    },
  };
}

function callPayloads(at: Date) {
  const call = {
    call_id: derivedId("sample call"),
    phone_number: NUMBER,
    from: CALLER,
    to: FORWARD_TO,
    occurred_at: at.getTime(),
  };
  return {
    "call.forwarded": { ...call, forwarded_by: "platform", stage: "primary" },
    "call.completed": { ...call, duration_seconds: 61, ended_by: "caller" },
    "call.missed": { ...call, reason: "no_answer" },
  };
}

function portOuts(at: Date) {
  const portOut = {
    id: PORT_OUT_ID,
    phone_numbers: [NUMBER],
    status: "requested",
    gaining_carrier: "Test Carrier",
    requested_foc: at.toISOString(),
    foc_actual: null,
    decision_deadline: null,
    decision: null,
    provider_status: "requested",
    created_at: at.getTime(),
    updated_at: at.getTime(),
  };
  return {
    "port_out.created": { port_out: portOut },
    "port_out.status_changed": {
      port_out: {
        ...portOut,
        status: "decision_required",
        decision_deadline: at.getTime() + DAY_MS,
      },
      previous_status: "requested",
      new_status: "decision_required",
    },
  };
}
