import type { StaticTopicName } from "../topics.ts";

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

/** Told straight from topic to topic: what was committed there has its events on porting.events. */
export const CALLS = { topic: "carriers.calls", consumer: "carrier-adapter" } as const;

/** A consumer of a topic, whose position in the database moves with the effect. */
export interface Reader {
  readonly consumer: string;
  /** Its full name. */
  readonly topic: string;
}

/** Who inside reads which topic of the deployment and keeps positions; the group is the prefix and the consumer. */
export function readersOf(topicPrefix: string): Reader[] {
  const inside = Object.entries(CONSUMERS).flatMap(([topic, consumers]) =>
    consumers.map(({ consumer }) => ({ consumer, topic })),
  );
  return [...inside, CALLS].map(({ consumer, topic }) => ({
    consumer,
    topic: topicPrefix + topic,
  }));
}
