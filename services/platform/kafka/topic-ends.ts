import type { Kafka } from "kafkajs";
import type { TopicPartition } from "./consumer.ts";
import { fetchTopicOffsets } from "./topic-offsets.ts";

/** A partition with records, and the offset of its next one. */
export interface PartitionEnd extends TopicPartition {
  readonly nextOffset: number;
}

/** The current ends of the topics' partitions, except empty ones. */
export async function fetchTopicEnds(
  kafka: Kafka,
  topics: readonly string[],
): Promise<PartitionEnd[]> {
  const ends = await Promise.all(
    topics.map(async (topic) => {
      const offsets = await fetchTopicOffsets(kafka, topic);
      return offsets
        .filter(({ high, low }) => Number(high) > Number(low))
        .map(({ partition, high }) => ({ topic, partition, nextOffset: Number(high) }));
    }),
  );
  return ends.flat();
}
