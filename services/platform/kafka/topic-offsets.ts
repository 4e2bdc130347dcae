import kafkajs, { type Admin, type Kafka, type PartitionMetadata } from "kafkajs";
import { patiently } from "./kafka-fault.ts";
import { AppError } from "../errors.ts";
import type { TopicPartition } from "./consumer.ts";

export type TopicOffsets = Awaited<ReturnType<Admin["fetchTopicOffsets"]>>;

const PATIENCE_MS = 10_000;

/**
 * The first and next offset of each partition of a topic. While a partition moves or has no leader, kafkajs 2.2.4
 * neither asks again nor forgets the leader that it knows: each attempt has a connection of its own.
 */
export function fetchTopicOffsets(kafka: Kafka, topic: string): Promise<TopicOffsets> {
  return patiently(async () => {
    const admin = kafka.admin();
    try {
      await admin.connect();
      return await admin.fetchTopicOffsets(topic);
    } finally {
      await admin.disconnect();
    }
  }, PATIENCE_MS);
}

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

/**
 * The partitions of the topics that exist on the broker, by name. Requests only these topics: listing all
 * of them fails while any topic, even an unrelated one, has no leader.
 * @throws a retryable `broker_unavailable`, or what kafkajs throws
 */
export async function fetchTopicPartitions(
  admin: Pick<Admin, "fetchTopicMetadata">,
  topics: readonly string[],
): Promise<ReadonlyMap<string, readonly PartitionMetadata[]>> {
  if (topics.length === 0) return new Map();
  const all = await fetchPartitions(admin, topics);
  if (all !== null) return new Map(all);
  // The broker refuses a request with an unknown topic as a whole.
  const known: (readonly [string, readonly PartitionMetadata[]])[] = [];
  for (const topic of topics) known.push(...((await fetchPartitions(admin, [topic])) ?? []));
  return new Map(known);
}

/** Null if the broker does not know one of the topics. */
async function fetchPartitions(
  admin: Pick<Admin, "fetchTopicMetadata">,
  topics: readonly string[],
): Promise<(readonly [string, readonly PartitionMetadata[]])[] | null> {
  try {
    const metadata = await admin.fetchTopicMetadata({ topics: [...topics] });
    return metadata.topics.map(({ name, partitions }) => [name, partitions] as const);
  } catch (error) {
    if (isUnknownTopic(error)) return null;
    // kafkajs 2.2.4 drops the last broker's refusal and then reads a response that does not exist.
    if (!(error instanceof TypeError)) throw error;
    const detail = "The broker did not return topic metadata.";
    throw new AppError("broker_unavailable", detail, { retryable: true, cause: error });
  }
}

function isUnknownTopic(error: unknown): boolean {
  return (
    error instanceof kafkajs.KafkaJSProtocolError && error.type === "UNKNOWN_TOPIC_OR_PARTITION"
  );
}
