import type { StaticTopicName } from "../topics.ts";

/** A service that must handle every message of a topic, and where the database records that it has. */
interface TopicConsumer {
  readonly consumer: string;
  /** The event's row in `events.log`, or the consumer's row for the message in `messaging.inbox`. */
  readonly effect: "event_log" | "inbox";
}

const inboxOf = (consumer: string): TopicConsumer => ({ consumer, effect: "inbox" });

/**
 * The internal consumers of outbox messages, whose effects the reconciler checks. A message of a topic
 * that is not listed is done when sent: its readers are external, or it only signals what the database
 * already knows.
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

/** Calls go directly from topic to topic: once an offset is committed, its events are on porting.events. */
export const CALLS = { topic: "carriers.calls", consumer: "carrier-adapter-calls" } as const;

/** A consumer of a topic; its position in the database moves in the transaction of the effect. */
export interface Reader {
  readonly consumer: string;
  /** The full name, with the deployment's prefix. */
  readonly topic: string;
}

/**
 * The internal consumers that keep positions, with their topics; a group id is the prefix and the
 * consumer.
 */
export function readersOf(topicPrefix: string): Reader[] {
  const inside = Object.entries(CONSUMERS).flatMap(([topic, consumers]) =>
    consumers.map(({ consumer }) => ({ consumer, topic })),
  );
  return [...inside, CALLS].map(({ consumer, topic }) => ({
    consumer,
    topic: topicPrefix + topic,
  }));
}
