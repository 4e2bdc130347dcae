import {
  SENT_EVENTS,
  sequenceKeyOf,
  type EventPayload,
  type SentEventType,
} from "../../../services/messages/events.ts";
import type { PortingEvent } from "../../../services/messages/generated/porting-event.ts";
import { newEvent, type EventEnvelope } from "../../../services/domain/event/rules/new-event.ts";
import { newId } from "../../../services/platform/ids.ts";

export const EVENT_AT = new Date("2026-11-02T09:00:00.007Z");
const AT = EVENT_AT.getTime();
const EVENT_ID = "01a19b7c-a687-7195-84b0-011dca65599f";
export const ORDER_ID = "01a19b7c-a687-7195-84b0-000000000001";
export const ACCOUNT_ID = "01a19b7c-a687-7195-84b0-000000000002";
const BATCH_ID = "01a19b7c-a687-7195-84b0-000000000003";
const OTHER_ID = "01a19b7c-a687-7195-84b0-000000000004";
const NUMBER = "+12125550123";

const SNAPSHOT: EventPayload<"porting_order.created">["porting_order"] = {
  id: ORDER_ID,
  batch_id: BATCH_ID,
  status: "foc_scheduled",
  closed_by: null,
  provider_status: "FOC",
  country_code: "US",
  number_type: "local",
  customer_reference: 'Ünïcode \u2028 "quoted"',
  requirements_status: true,
  foc_requested: null,
  foc_actual: "2026-11-12T10:00:00-05:00",
  phone_numbers: [NUMBER],
};

const PORT_OUT: EventPayload<"port_out.created">["port_out"] = {
  id: OTHER_ID,
  phone_numbers: [NUMBER],
  status: "decision_required",
  gaining_carrier: "Other Telecom",
  requested_foc: "2026-11-20T10:00:00+01:00",
  foc_actual: null,
  decision_deadline: AT + 86_400_000,
  decision: null,
  provider_status: null,
  created_at: AT,
  updated_at: AT + 1,
};

const CALL = {
  call_id: "call-1",
  phone_number: NUMBER,
  from: "+12125550199",
  to: "+12125550177",
  occurred_at: AT,
};

/** Payloads that are easily serialized wrongly; the other types use the table's samples. */
const AWKWARD: { readonly [T in SentEventType]?: EventPayload<T> } = {
  "porting_order.created": { porting_order: SNAPSHOT },
  "porting_order.split": {
    batch_id: BATCH_ID,
    porting_orders: [
      {
        id: ORDER_ID,
        phone_numbers: [NUMBER],
        country_code: "US",
        number_type: "local",
        losing_carrier: null,
      },
    ],
  },
  "porting_order.deleted": {
    porting_order_id: ORDER_ID,
    batch_id: BATCH_ID,
    customer_reference: "",
    phone_numbers: [NUMBER],
    deleted_at: AT,
    deleted_by: "customer",
  },
  "porting_order.status_changed": {
    porting_order: SNAPSHOT,
    previous_status: "in_process",
    new_status: "foc_scheduled",
  },
  "porting_order.requirement_updated": {
    porting_order_id: ORDER_ID,
    requirement: { slug: "loa", status: "approved", reason: null },
  },
  "porting_order.new_comment": {
    porting_order_id: ORDER_ID,
    comment: { id: OTHER_ID, body: "Looks good.", author_type: "ops", created_at: AT },
  },
  "loa.signed": {
    porting_order_id: ORDER_ID,
    document_id: OTHER_ID,
    sha256: "ab".repeat(32),
    signer_name: "Ada Lovelace",
    signed_at: AT,
  },
  "number.activated": {
    phone_number: NUMBER,
    porting_order_id: ORDER_ID,
    country_code: "US",
    number_type: "local",
    activated_at: AT,
  },
  "call.forwarded": { ...CALL, forwarded_by: "platform", stage: "primary" },
  "call.completed": { ...CALL, duration_seconds: 61, ended_by: "caller" },
  "call.missed": { ...CALL, reason: "no_answer" },
  "number.ported_out": {
    phone_number: NUMBER,
    port_out_id: null,
    gaining_carrier: null,
    ported_out_at: AT,
  },
  "port_out.created": { port_out: PORT_OUT },
  "port_out.status_changed": {
    port_out: {
      ...PORT_OUT,
      status: "rejected",
      decision_deadline: null,
      decision: { by: "ops", at: AT, code: "pin_invalid", reason: null },
    },
    previous_status: "decision_required",
    new_status: "rejected",
  },
};

export function payloadOf<T extends SentEventType>(type: T): EventPayload<T> {
  return AWKWARD[type] ?? SENT_EVENTS[type].sample(AT);
}

/** A valid event of a type; `envelope` overrides the defaults. */
export function buildEvent(
  type: SentEventType,
  envelope: Partial<EventEnvelope> = {},
): PortingEvent {
  const order_id = type.startsWith("port_out.") ? null : ORDER_ID;
  const own: EventEnvelope = {
    id: EVENT_ID,
    account_id: ACCOUNT_ID,
    order_id,
    sequence_key: "",
    order_sequence: SENT_EVENTS[type].isNumbered ? 1 : null,
    created_at: EVENT_AT,
    context: null,
  };
  const { payload } = newEvent(type, payloadOf(type), own);
  const sequence_key = sequenceKeyOf(type, { order_id, payload }) ?? "";
  return newEvent(type, payloadOf(type), { ...own, sequence_key, ...envelope });
}

/** A new `porting_order.created` event, created now unless a time is given. */
export function freshEvent(accountId: string, at: Date = new Date()): PortingEvent {
  const id = newId(at);
  return buildEvent("porting_order.created", { id, account_id: accountId, created_at: at });
}
