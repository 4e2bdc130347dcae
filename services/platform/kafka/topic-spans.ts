import kafkajs, { type Kafka } from "kafkajs";
import { AppError } from "../errors.ts";
import { fetchTopicPartitions } from "./topic-partitions.ts";

/** The offsets of a partition: from `firstOffset` to before `nextOffset`; equal if it is empty. */
export interface PartitionSpan {
  readonly partition: number;
  readonly firstOffset: number;
  readonly nextOffset: number;
}

/** Enough for a new topic to get its leader; an unavailable broker is not waited for. */
const FEW_RETRIES = { retries: 4 };

/**
 * The partitions of each topic, including empty ones; null for a missing topic.
 * @throws a retryable `broker_unavailable`
 */
export async function fetchTopicSpans(
  kafka: Kafka,
  topics: readonly string[],
): Promise<ReadonlyMap<string, readonly PartitionSpan[] | null>> {
  const admin = kafka.admin({ retry: FEW_RETRIES });
  try {
    await admin.connect();
    const there = await fetchTopicPartitions(admin, topics);
    const spans = new Map<string, readonly PartitionSpan[] | null>();
    for (const topic of topics) {
      const found = there.has(topic) ? await admin.fetchTopicOffsets(topic) : null;
      spans.set(
        topic,
        found?.map(({ partition, low, high }) => ({
          partition,
          firstOffset: Number(low),
          nextOffset: Number(high),
        })) ?? null,
      );
    }
    return spans;
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSError)) throw error;
    const detail = "Kafka did not return the topics' offsets.";
    throw new AppError("broker_unavailable", detail, { retryable: true, cause: error });
  } finally {
    await admin.disconnect();
  }
}
