import { derivedId } from "../platform/ids.ts";
import type { EpochMs } from "./epoch-ms.ts";
import type {
  PortingEvent,
  PortingEventPayload,
  PortingEventType,
  PortingOrderSnapshot,
  PortOut,
  SplitPortingOrder,
} from "./generated/porting-event.ts";

/**
 * Subjects of sample events; none of them exist, and the numbers are from the block reserved for
 * examples.
 */
const SAMPLE_NUMBER = "+12125550123";
const SAMPLE_ORDER_ID = derivedId("sample order");
const SAMPLE_BATCH_ID = derivedId("sample batch");
const SAMPLE_PORT_OUT_ID = derivedId("sample port-out");

const SAMPLE_ORDER: PortingOrderSnapshot = {
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
const SAMPLE_PARTS: readonly SplitPortingOrder[] = [
  PART,
  {
    ...PART,
    id: derivedId("other sample order"),
    phone_numbers: ["+18005550123"],
    number_type: "toll_free",
  },
];

function sampleCall(at: EpochMs) {
  return {
    call_id: derivedId("sample call"),
    phone_number: SAMPLE_NUMBER,
    from: "+12125550199",
    to: "+12125550177",
    occurred_at: at,
  };
}

function samplePortOut(at: EpochMs): PortOut {
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

/** The facts about every event type; a reserved one has no others. */
interface EventRow {
  /** As worded in the contract (docs/contract/interface-specification.md, Event types). */
  readonly firedWhen: string;
}

/**
 * What events may be ordered by; the payload must contain it, except for the order, which is in the
 * envelope.
 */
type OrderedBy<Payload> =
  | "order"
  | (Payload extends { readonly phone_number: string } ? "phone_number" : never)
  | (Payload extends { readonly port_out: { readonly id: string } } ? "port_out" : never);

/** The facts about a type that is sent. */
interface SentEventRow<Payload> extends EventRow {
  /**
   * What its `sequence_key` and its key on the topic identify (docs/contract/messages.md, Event
   * envelope).
   */
  readonly orderedBy: OrderedBy<Payload>;
  /** Whether it has an `order_sequence`, drawn under the lock on what it is ordered by. */
  readonly isNumbered: boolean;
  /** Fields, as `Record.field`, that JSON omits if they are null; all others are shown as null. */
  readonly absentWhenNull: readonly string[];
  /** A sample payload for endpoint tests and for the API description. */
  readonly sample: (at: EpochMs) => Payload;
}

const ORDER_EVENT = {
  orderedBy: "order",
  isNumbered: true,
  absentWhenNull: [],
} as const;

const NUMBER_EVENT = {
  orderedBy: "phone_number",
  isNumbered: true,
  absentWhenNull: [],
} as const;

/** Calls come from a topic, with no lock under which they could be numbered. */
const CALL_EVENT = { ...NUMBER_EVENT, isNumbered: false } as const;

const PORT_OUT_EVENT = { ...NUMBER_EVENT, orderedBy: "port_out" } as const;

/** The subjects of events: the first half of their public names. */
type Subject = "porting_order" | "loa" | "number" | "call" | "port_out";

/** `porting_order_created` → `porting_order.created`; a symbol with an unknown subject stays as it is. */
type PublicName<S extends string> = S extends `${Subject}_${string}`
  ? { [K in Subject]: S extends `${K}_${infer Change}` ? `${K}.${Change}` : never }[Subject]
  : S;

export type EventType = PublicName<Exclude<PortingEventType, "unrecognized">>;

/** The types with a payload; the others are reserved: accepted in filters, never sent. */
export type SentEventType = PublicName<keyof PortingEventPayload>;

/** An event type as the bus writes it, because an Avro symbol has no dots; also the name of its payload field. */
type EventSymbol<T extends EventType = EventType> = T extends `${infer S}.${infer Change}`
  ? `${S}_${Change}`
  : never;

/** The payload record of an event type. */
export type EventPayload<T extends SentEventType> = NonNullable<
  PortingEventPayload[EventSymbol<T>]
>;

const DAY_MS = 86_400_000;

/** The only table of event types, in the contract's order; one that only the schema has is a compiler error. */
export const EVENTS = {
  "porting_order.created": {
    ...ORDER_EVENT,
    firedWhen: "a draft order was created",
    sample: () => ({
      porting_order: { ...SAMPLE_ORDER, status: "draft", requirements_status: false },
    }),
  },
  "porting_order.split": {
    ...ORDER_EVENT,
    firedWhen: "one request became several orders",
    sample: () => ({ batch_id: SAMPLE_BATCH_ID, porting_orders: SAMPLE_PARTS }),
  },
  "porting_order.deleted": {
    ...ORDER_EVENT,
    firedWhen: "a never-submitted draft was deleted",
    sample: (at) => ({
      porting_order_id: SAMPLE_ORDER_ID,
      batch_id: SAMPLE_BATCH_ID,
      customer_reference: "test",
      phone_numbers: [SAMPLE_NUMBER],
      deleted_at: at,
      deleted_by: "customer",
    }),
  },
  "porting_order.status_changed": {
    ...ORDER_EVENT,
    firedWhen: "an order moved through its lifecycle (every move)",
    sample: () => ({
      porting_order: SAMPLE_ORDER,
      previous_status: "draft",
      new_status: "in_review",
    }),
  },
  "porting_order.requirement_updated": {
    ...ORDER_EVENT,
    firedWhen: "a field was approved or rejected in review",
    absentWhenNull: ["ReviewedRequirement.reason"],
    sample: () => ({
      porting_order_id: SAMPLE_ORDER_ID,
      requirement: { slug: "loa", status: "approved", reason: null },
    }),
  },
  "porting_order.new_comment": {
    ...ORDER_EVENT,
    firedWhen: "the ops team or the carrier left a note on an order",
    sample: (at) => ({
      porting_order_id: SAMPLE_ORDER_ID,
      comment: {
        id: derivedId("sample comment"),
        body: "This is a test.",
        author_type: "ops",
        created_at: at,
      },
    }),
  },
  "porting_order.foc_date_changed": {
    firedWhen:
      "reserved; never sent. Confirmed dates arrive as foc_actual on porting_order.status_changed",
  },
  "loa.signed": {
    ...ORDER_EVENT,
    firedWhen: "a signature was submitted and the signed LOA PDF was generated",
    sample: (at) => ({
      porting_order_id: SAMPLE_ORDER_ID,
      document_id: derivedId("sample document"),
      sha256: "0".repeat(64),
      signer_name: "Test Signer",
      signed_at: at,
    }),
  },
  "number.activated": {
    ...ORDER_EVENT,
    firedWhen: "a number went live; follows the completed status",
    sample: (at) => ({
      phone_number: SAMPLE_NUMBER,
      porting_order_id: SAMPLE_ORDER_ID,
      country_code: "US",
      number_type: "local",
      activated_at: at,
    }),
  },
  "number.provider_changed": {
    ...NUMBER_EVENT,
    firedWhen:
      "platform ops corrected which carrier hosts one of the numbers; forwarding is re-applied to the right carrier",
    sample: () => ({
      phone_number: SAMPLE_NUMBER,
      previous_provider: "sandbox",
      new_provider: "manual",
      forwarding_reapplied: false,
    }),
  },
  "call.forwarded": {
    ...CALL_EVENT,
    firedWhen:
      "a call to a number was forwarded; payload has forwarded_by (platform or carrier) and stage (primary or fallback)",
    sample: (at) => ({ ...sampleCall(at), forwarded_by: "platform", stage: "primary" }),
  },
  "call.completed": {
    ...CALL_EVENT,
    firedWhen:
      "a forwarded call that was answered ended; payload has duration_seconds and ended_by",
    sample: (at) => ({ ...sampleCall(at), duration_seconds: 61, ended_by: "caller" }),
  },
  "call.missed": {
    ...CALL_EVENT,
    firedWhen: "a forwarded call was never answered; payload has reason",
    sample: (at) => ({ ...sampleCall(at), reason: "no_answer" }),
  },
  "number.ported_out": {
    ...NUMBER_EVENT,
    firedWhen: "a number left the platform; the port-out completion signal",
    sample: (at) => ({
      phone_number: SAMPLE_NUMBER,
      port_out_id: SAMPLE_PORT_OUT_ID,
      gaining_carrier: "Test Carrier",
      ported_out_at: at,
    }),
  },
  "port_out.created": {
    ...PORT_OUT_EVENT,
    firedWhen: "another carrier requested one of the numbers",
    sample: (at) => ({ port_out: samplePortOut(at) }),
  },
  "port_out.status_changed": {
    ...PORT_OUT_EVENT,
    firedWhen: "a port-out needs a decision, or was approved, rejected or expired",
    sample: (at) => ({
      port_out: {
        ...samplePortOut(at),
        status: "decision_required",
        decision_deadline: at + DAY_MS,
      },
      previous_status: "requested",
      new_status: "decision_required",
    }),
  },
} satisfies {
  readonly [T in EventType]: T extends SentEventType ? SentEventRow<EventPayload<T>> : EventRow;
};

/** The rows of the types that are sent, typed by payload. */
export const SENT_EVENTS: {
  readonly [T in SentEventType]: SentEventRow<EventPayload<T>>;
} = EVENTS;

/** All types, in the contract's order. */
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** The types that are sent, without the reserved one. */
export const SENT_EVENT_TYPES: readonly SentEventType[] = EVENT_TYPES.filter(isSentEventType);

/** `porting_order.created` → `porting_order_created`. */
export function symbolOfEventType<T extends EventType>(type: T): EventSymbol<T> {
  return type.replace(".", "_") as EventSymbol<T>;
}

const TYPE_BY_SYMBOL: ReadonlyMap<string, EventType> = new Map(
  EVENT_TYPES.map((type) => [symbolOfEventType(type), type]),
);

/** The public name of a type on the bus; null for `unrecognized`, a type unknown to this version. */
export function eventTypeOfSymbol(symbol: PortingEventType): EventType | null {
  return TYPE_BY_SYMBOL.get(symbol) ?? null;
}

/** Whether a text is a public event name, including the reserved one. */
export function isEventType(text: string): text is EventType {
  return Object.hasOwn(EVENTS, text);
}

export function isSentEventType(type: EventType): type is SentEventType {
  return "sample" in EVENTS[type];
}

/** The id or number that an event is ordered by; null if it has none. */
export function sequenceKeyOf(
  type: SentEventType,
  { order_id, payload }: Pick<PortingEvent, "order_id" | "payload">,
): string | null {
  const record = payload[symbolOfEventType(type)];
  if (record === null) return null;
  switch (SENT_EVENTS[type].orderedBy) {
    case "order":
      return order_id;
    case "phone_number":
      return "phone_number" in record ? record.phone_number : null;
    case "port_out":
      return "port_out" in record ? record.port_out.id : null;
  }
}
