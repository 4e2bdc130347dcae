import type { PortingEventPayload, PortingEventType } from "./generated/porting-event.ts";

/** The event types by their public names, in the specification's order. */
export const EVENT_TYPES = [
  "porting_order.created",
  "porting_order.split",
  "porting_order.deleted",
  "porting_order.status_changed",
  "porting_order.requirement_updated",
  "porting_order.new_comment",
  "porting_order.foc_date_changed",
  "loa.signed",
  "number.activated",
  "number.provider_changed",
  "call.forwarded",
  "call.completed",
  "call.missed",
  "number.ported_out",
  "port_out.created",
  "port_out.status_changed",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Accepted in filters, never sent. */
export const RESERVED_EVENT_TYPE = "porting_order.foc_date_changed" satisfies EventType;

export type SentEventType = Exclude<EventType, typeof RESERVED_EVENT_TYPE>;

/** An event type as the bus writes it, because an Avro symbol has no dots; also the name of its payload field. */
export type EventSymbol<T extends EventType = EventType> =
  T extends `${infer Subject}.${infer Change}` ? `${Subject}_${Change}` : never;

/** The payload record of an event type. */
export type EventPayload<T extends SentEventType> = NonNullable<
  PortingEventPayload[EventSymbol<T>]
>;

/** `porting_order.created` → `porting_order_created`. */
export function symbolOfEventType<T extends EventType>(type: T): EventSymbol<T> {
  return type.replace(".", "_") as EventSymbol<T>;
}

const TYPE_BY_SYMBOL: ReadonlyMap<string, EventType> = new Map(
  EVENT_TYPES.map((type) => [symbolOfEventType(type), type]),
);

/** The public name of a type on the bus; null for `unrecognized`: a type that this version does not know. */
export function eventTypeOfSymbol(symbol: PortingEventType): EventType | null {
  return TYPE_BY_SYMBOL.get(symbol) ?? null;
}

/** Whether a text is one of the public names, the reserved one included. */
export function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text);
}
