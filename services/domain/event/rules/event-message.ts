import type { PortingEvent } from "../../../messages/generated/porting-event.ts";
import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../../messages/bus/outgoing.ts";

/** The message of an event on its topic, keyed by its sequence key and with the event's id as message id. */
export function eventMessage(context: MessageContext, event: PortingEvent): OutgoingMessage {
  return outgoing(context, "porting.events", {
    key: event.sequence_key,
    messageId: event.id,
    message: event,
  });
}
