import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../../messages/bus/outgoing.ts";
import {
  SENT_EVENT_TYPES,
  symbolOfEventType,
  type EventPayload,
  type SentEventType,
} from "../../../messages/events.ts";
import type {
  PortingEvent,
  PortingEventPayload,
} from "../../../messages/generated/porting-event.ts";
import { contextFields, type EventContext } from "./event-context.ts";

/** Everything in an event except its type and payload. */
export interface EventEnvelope {
  /** A version 7 UUID whose time is `created_at`, by which the log is partitioned. Also the message's id. */
  readonly id: string;
  readonly account_id: string;
  readonly order_id: string | null;
  /** The order id, phone number or port-out id within which events are ordered; see `sequenceKeyOf`. */
  readonly sequence_key: string;
  /** 1, 2, 3 … per `sequence_key`, assigned under its row lock; null for calls. */
  readonly order_sequence: number | null;
  readonly created_at: Date;
  /** For analytics; null for a sample. */
  readonly context: EventContext | null;
}

type NoPayload = { readonly [S in keyof PortingEventPayload]: null };

const NO_PAYLOAD = Object.fromEntries(
  SENT_EVENT_TYPES.map((type) => [symbolOfEventType(type), null]),
) as NoPayload;

/**
 * An event for `porting.events`, with only the payload record of its type set. Field by field: an object put together of
 * others costs twenty times as much.
 */
export function newEvent<T extends SentEventType>(
  type: T,
  payload: EventPayload<T>,
  envelope: EventEnvelope,
): PortingEvent {
  const symbol = symbolOfEventType(type);
  const known = contextFields(envelope.context);
  return {
    id: envelope.id,
    account_id: envelope.account_id,
    order_id: envelope.order_id,
    sequence_key: envelope.sequence_key,
    order_sequence: envelope.order_sequence,
    type: symbol,
    created_at: envelope.created_at.getTime(),
    payload: { ...NO_PAYLOAD, [symbol]: payload },
    provider: known.provider,
    losing_carrier: known.losing_carrier,
    number_type: known.number_type,
    country_code: known.country_code,
    rejection: known.rejection,
    occurred_at: known.occurred_at,
    actor: known.actor,
  };
}

/** The message of an event on its topic, keyed by its sequence key and with the event's id as message id. */
export function eventMessage(context: MessageContext, event: PortingEvent): OutgoingMessage {
  return outgoing(context, "porting.events", {
    key: event.sequence_key,
    messageId: event.id,
    message: event,
  });
}
