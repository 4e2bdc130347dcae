import { exampleEvent } from "../../domain/event/rules/serialize-event.ts";
import { SENT_EVENT_TYPES, type SentEventType } from "../../messages/events.ts";
import { webhookJsonSchema } from "./webhook-schemas.ts";

/** When each event type is published, in a sentence for those who build on the events. */
const PUBLISHED_WHEN: Readonly<Record<SentEventType, string>> = {
  "porting_order.created":
    "A draft order was created. A request whose numbers need several orders publishes one event per order.",
  "porting_order.split":
    "One request became several orders, because its numbers differ in country, number type or losing carrier. It is published once per request, on the first of its orders.",
  "porting_order.deleted":
    "A draft that was never submitted was deleted, by the customer or because it expired.",
  "porting_order.status_changed":
    "An order moved from one status to another, whoever caused it. A carrier that moves the confirmed port date publishes it with the same status before and after, and the new foc_actual.",
  "porting_order.requirement_updated":
    "The porting desk approved or rejected a requirement, or the losing carrier rejected the order for one. The change of status that the decision causes has an event of its own.",
  "porting_order.new_comment":
    "The porting desk or the losing carrier left a comment on an order. The customer's own comments publish nothing.",
  "loa.signed":
    "The letter of authorization was signed through the API or the portal, and its PDF is available. An uploaded letter publishes nothing.",
  "number.activated":
    "A number went live. It follows the order's completed or completed_partial, with one event per number.",
  "number.provider_changed":
    "The platform's operators corrected which provider hosts a number. Call forwarding, where it is set, is sent to the new provider.",
  "call.forwarded":
    "A call to a number was forwarded, to its primary or its fallback destination. A call that tries both publishes two events.",
  "call.completed": "A forwarded call that was answered has ended.",
  "call.missed": "A forwarded call has ended without an answer.",
  "number.ported_out":
    "A number left the account. It is the only event that reports the completion of a port-out, with one event per number.",
  "port_out.created": "Another carrier requested numbers of the account.",
  "port_out.status_changed":
    "A port-out needs a decision, or was approved, rejected, cancelled or left to expire. Completion is reported by number.ported_out instead.",
};

/**
 * Which types may come next, right after a type, on the same order, number, port-out or call. Events of different
 * subjects come in any order.
 */
export const NEXT_EVENTS: Readonly<Record<SentEventType, readonly SentEventType[]>> = {
  "porting_order.created": [
    "porting_order.split",
    "porting_order.deleted",
    "porting_order.status_changed",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "porting_order.split": [
    "porting_order.deleted",
    "porting_order.status_changed",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "porting_order.deleted": [],
  "porting_order.status_changed": [
    "porting_order.status_changed",
    "porting_order.requirement_updated",
    "porting_order.new_comment",
    "loa.signed",
    "number.activated",
  ],
  "porting_order.requirement_updated": [
    "porting_order.status_changed",
    "porting_order.requirement_updated",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "porting_order.new_comment": [
    "porting_order.deleted",
    "porting_order.status_changed",
    "porting_order.requirement_updated",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "loa.signed": [
    "porting_order.deleted",
    "porting_order.status_changed",
    "porting_order.new_comment",
    "loa.signed",
  ],
  "number.activated": [
    "porting_order.new_comment",
    "number.activated",
    "number.provider_changed",
    "call.forwarded",
    "number.ported_out",
    "port_out.created",
  ],
  "number.provider_changed": [
    "number.provider_changed",
    "call.forwarded",
    "number.ported_out",
    "port_out.created",
  ],
  "call.forwarded": ["call.forwarded", "call.completed", "call.missed"],
  "call.completed": [],
  "call.missed": [],
  "number.ported_out": [],
  "port_out.created": ["number.ported_out", "port_out.status_changed"],
  "port_out.status_changed": ["number.ported_out", "port_out.status_changed"],
};

/** What those who build on the events need to know of a type. */
export interface CatalogueEntry {
  readonly type: SentEventType;
  readonly publishedWhen: string;
  /** The types that may come right before it on the same order, number, port-out or call. */
  readonly follows: readonly SentEventType[];
  /** The types that may come right after it there. */
  readonly precedes: readonly SentEventType[];
  /** JSON Schema (2020-12) of its webhook body, and so of the event in the feed, with its own `$defs`. */
  readonly schema: object;
  /** A webhook body as the sender makes it. */
  readonly sample: object;
}

/** Every event type that is sent, in the contract's order; the reserved one has neither schema nor sample. */
export const EVENT_CATALOGUE: readonly CatalogueEntry[] = SENT_EVENT_TYPES.map((type) => ({
  type,
  publishedWhen: PUBLISHED_WHEN[type],
  follows: SENT_EVENT_TYPES.filter((other) => NEXT_EVENTS[other].includes(type)),
  precedes: NEXT_EVENTS[type],
  schema: webhookJsonSchema(type),
  sample: exampleEvent(type),
}));
