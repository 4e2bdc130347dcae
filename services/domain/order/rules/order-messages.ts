import {
  outgoing,
  type MessageContext,
  type OutgoingMessage,
} from "../../../messages/bus/outgoing.ts";
import { newIds } from "../../../platform/ids.ts";
import { eventMessage } from "../../event/rules/event-message.ts";
import { newEvent } from "../../event/rules/new-event.ts";
import { carrierRequestId } from "./carrier-request-id.ts";
import type { CarrierTaskKind, Effect } from "./effects.ts";
import type { Order } from "./order.ts";
import type { OrderDecision } from "./order-decision.ts";
import { orderEventContext, type Occasion } from "./order-event-context.ts";

/** The outbox messages of a decision, in sequence, and the sequence number of the order's last event. */
export interface OrderMessages {
  readonly messages: readonly OutgoingMessage[];
  readonly eventSequence: number;
}

/** Numbers the events under the order's lock and addresses each message to its topic, keyed by the order's id. */
export function orderMessages(
  context: MessageContext,
  { order, effects }: OrderDecision,
  occasion: Occasion,
): OrderMessages {
  const { now } = occasion;
  const ids = newIds(now, effects.length);
  let eventSequence = order.event_sequence;
  const messages = effects.flatMap((effect, n): OutgoingMessage[] => {
    const messageId = ids[n] ?? "";
    const address = { key: order.id, messageId };
    switch (effect.effect) {
      case "event": {
        eventSequence += 1;
        const event = newEvent(effect.type, effect.payload, {
          id: messageId,
          account_id: order.account_id,
          order_id: order.id,
          sequence_key: order.id,
          order_sequence: eventSequence,
          created_at: now,
          context: orderEventContext(order, effect, occasion),
        });
        return [eventMessage(context, event)];
      }
      case "review_request": {
        const message = reviewRequest(order, effect);
        return [outgoing(context, "porting.review-requests", { ...address, message })];
      }
      case "carrier_task": {
        const message = carrierTask(order, effect.kind);
        return [outgoing(context, "porting.carrier-requests", { ...address, message })];
      }
      case "comment":
      case "system_comment":
      case "timeline":
      case "deadline":
      case "wait":
      case "number_active":
        return [];
    }
  });
  return { messages, eventSequence };
}

type ReviewRequestEffect = Extract<Effect, { effect: "review_request" }>;

function reviewRequest(order: Order, effect: ReviewRequestEffect) {
  const { kind, attempt } = effect;
  const request = { kind, order_id: order.id, account_id: order.account_id, attempt };
  const document =
    effect.kind === "check_document" ? { slug: effect.slug, document_id: effect.document_id } : {};
  return { ...request, ...document };
}

function carrierTask(order: Order, kind: CarrierTaskKind) {
  return {
    request_id: carrierRequestId(order, kind),
    kind,
    provider: order.provider,
    order_id: order.id,
    request_version: order.request_version,
  };
}
