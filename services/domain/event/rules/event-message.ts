import type { PortingEvent } from "../../../messages/generated/porting-event.ts";
import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../../messages/bus/outgoing.ts";

/** An event on its topic: keyed by what it is ordered within, and its own id is the message's. */
export function eventMessage(context: MessageContext, event: PortingEvent): OutgoingMessage {
  return outgoing(context, "porting.events", {
    key: event.sequence_key,
    messageId: event.id,
    message: event,
  });
}
