import type { StaticTopicName } from "./topics.ts";

/** A service that must have handled every message of a topic, and what in the database shows that it has. */
export interface TopicConsumer {
  readonly consumer: string;
  /** The event's row in `events.log`, or the consumer's row for the message in `messaging.inbox`. */
  readonly effect: "event_log" | "inbox";
}

const inboxOf = (consumer: string): TopicConsumer => ({ consumer, effect: "inbox" });

/**
 * Who inside consumes what the outbox sends; the reconciler holds each to it. A topic that is not here is done when
 * it is sent: its readers are outside, or its messages are only alarms for what the database knows by itself.
 */
export const CONSUMERS: Readonly<Partial<Record<StaticTopicName, readonly TopicConsumer[]>>> = {
  "porting.events": [{ consumer: "event-log", effect: "event_log" }, inboxOf("webhook-sender")],
  "porting.review-requests": [inboxOf("requirement-review")],
  "porting.review-results": [inboxOf("order-lifecycle")],
  "porting.carrier-requests": [inboxOf("carrier-adapter")],
  "porting.carrier-results": [inboxOf("order-lifecycle")],
  "carriers.updates": [inboxOf("carrier-adapter")],
  "carriers.port-outs": [inboxOf("carrier-adapter")],
};
