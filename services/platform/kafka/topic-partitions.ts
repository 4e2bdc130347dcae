import kafkajs, { type Admin, type PartitionMetadata } from "kafkajs";
import { AppError } from "../errors.ts";

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
