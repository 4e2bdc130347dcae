import { DEAD_LETTER_CODES } from "../../platform/kafka/classify-error.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { TopicName } from "../topics.ts";

export interface ConsumerMetrics {
  lag(topic: string, partition: number, messages: number): void;
  /** After a rebalance, when partitions may have become those of another process, which reports them from now on. */
  forgetLags(): void;
  deadLettered(topic: TopicName, code: string): void;
}

export function createConsumerMetrics(
  metrics: Metrics,
  { consumer, topics }: { readonly consumer: string; readonly topics: readonly TopicName[] },
): ConsumerMetrics {
  const lag = metrics.gauge({
    name: "consumer_lag_messages",
    help: "Messages of a partition that this consumer has not handled yet",
    labels: ["consumer", "topic", "partition"],
  });
  const deadLetters = metrics.counter({
    name: "dead_letters_total",
    help: "Messages that were dead-lettered because they cannot be handled",
    labels: ["consumer", "topic", "code"],
  });
  // From 0 on, so that the first ones count as an increase: poison often comes all at once.
  for (const topic of topics) {
    for (const code of DEAD_LETTER_CODES) deadLetters.inc({ consumer, topic, code }, 0);
  }
  const shown = new Map<string, { readonly topic: string; readonly partition: string }>();
  return {
    lag: (topic, partition, messages) => {
      const place = { topic, partition: String(partition) };
      shown.set(`${topic}/${partition}`, place);
      lag.set({ consumer, ...place }, messages);
    },
    forgetLags: () => {
      for (const place of shown.values()) lag.remove({ consumer, ...place });
      shown.clear();
    },
    deadLettered: (topic, code) => deadLetters.inc({ consumer, topic, code }),
  };
}
