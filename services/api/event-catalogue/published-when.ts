import type { SentEventType } from "../../messages/events.ts";

/** When each event type is published, in a sentence for those who build on the events. */
export const PUBLISHED_WHEN: Readonly<Record<SentEventType, string>> = {
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
