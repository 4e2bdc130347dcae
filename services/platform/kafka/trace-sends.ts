import type { OutgoingMessage } from "../outbox/outbox.ts";
import type { OpenSpan, Tracing } from "../tracing/tracing.ts";
import type { SentTo } from "./producer.ts";

/** Messages that are about to be sent, and the end of their spans. */
export interface TracedSends {
  /** In the given order; whoever handles one continues from its send. */
  readonly messages: readonly OutgoingMessage[];
  sent(places: readonly SentTo[]): void;
}

/**
 * A span for each message that continues a trace which is sampled. Those of a failed send are not ended, and so not
 * exported: while Kafka is away, the relay tries a thousand messages again every two seconds.
 */
export function traceSends(tracing: Tracing, messages: readonly OutgoingMessage[]): TracedSends {
  const spans = messages.map((message) => startSendSpan(tracing, message));
  return {
    messages: messages.map((message, n) => {
      const span = spans[n] ?? null;
      if (span === null) return message;
      return { ...message, headers: { ...message.headers, traceparent: span.traceparent } };
    }),
    sent: (places) => {
      spans.forEach((span, n) => {
        const place = places[n];
        if (place !== undefined) {
          span?.set({
            "messaging.destination.partition.id": String(place.partition),
            "messaging.kafka.offset": place.offset,
          });
        }
        span?.end();
      });
    },
  };
}

function startSendSpan(
  tracing: Tracing,
  { topic, messageId, headers }: OutgoingMessage,
): OpenSpan | null {
  const parent = headers?.["traceparent"];
  if (parent === undefined) return null;
  const span = tracing.start(`send ${topic}`, {
    kind: "producer",
    parent,
    attributes: {
      "messaging.system": "kafka",
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.destination.name": topic,
      "messaging.message.id": messageId,
    },
  });
  return span.isRecorded ? span : null;
}
