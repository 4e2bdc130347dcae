import kafkajs, { type Admin, type PartitionMetadata } from "kafkajs";
import { AppError } from "../errors.ts";

/**
 * The partitions of those of the topics that the broker has, by name. It asks for these topics only: a list of all of
 * them is refused while any topic, also somebody else's, has no leader.
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

/** Null where the broker does not know one of the topics. */
async function fetchPartitions(
  admin: Pick<Admin, "fetchTopicMetadata">,
  topics: readonly string[],
): Promise<(readonly [string, readonly PartitionMetadata[]])[] | null> {
  try {
    const metadata = await admin.fetchTopicMetadata({ topics: [...topics] });
    return metadata.topics.map(({ name, partitions }) => [name, partitions] as const);
  } catch (error) {
    if (isUnknownTopic(error)) return null;
    // kafkajs 2.2.4 drops the refusal of the last broker that it asked and reads the answer that it has not got.
    if (!(error instanceof TypeError)) throw error;
    const detail = "The broker does not give the metadata of topics.";
    throw new AppError("broker_unavailable", detail, { retryable: true, cause: error });
  }
}

function isUnknownTopic(error: unknown): boolean {
  return (
    error instanceof kafkajs.KafkaJSProtocolError && error.type === "UNKNOWN_TOPIC_OR_PARTITION"
  );
}
