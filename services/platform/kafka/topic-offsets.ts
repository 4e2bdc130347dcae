import kafkajs, { type Admin, type AdminConfig, type Kafka, type PartitionMetadata } from "kafkajs";
import { randomUUID } from "node:crypto";
import { AppError } from "../errors.ts";
import type { TopicPartition } from "./consumer.ts";
import { patiently } from "./kafka-faults.ts";
import { toRawMessage, type RawMessage } from "./raw-message.ts";

export type TopicOffsets = Awaited<ReturnType<Admin["fetchTopicOffsets"]>>;

const PATIENCE_MS = 10_000;

/** Runs work with an admin client of its own. */
export async function withAdmin<T>(
  kafka: Kafka,
  work: (admin: Admin) => Promise<T>,
  config?: AdminConfig,
): Promise<T> {
  const admin = kafka.admin(config);
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** The same with few retries: an unavailable broker is not waited for. @throws a retryable `broker_unavailable` */
export function askAdmin<T>(
  kafka: Kafka,
  { what, retries }: { readonly what: string; readonly retries: number },
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  return withAdmin(kafka, work, { retry: { retries } }).catch((error: unknown) => {
    if (!(error instanceof kafkajs.KafkaJSError)) throw error;
    const detail = `Kafka did not return ${what}.`;
    throw new AppError("broker_unavailable", detail, { retryable: true, cause: error });
  });
}

/**
 * The first and next offset of each partition of a topic. While a partition moves or has no leader, kafkajs 2.2.4
 * neither asks again nor forgets the leader that it knows: each attempt has a connection of its own.
 */
export function fetchTopicOffsets(kafka: Kafka, topic: string): Promise<TopicOffsets> {
  return patiently(() => withAdmin(kafka, (admin) => admin.fetchTopicOffsets(topic)), PATIENCE_MS);
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

/** The offsets of a partition: from `firstOffset` to before `nextOffset`; equal if it is empty. */
export interface PartitionSpan {
  readonly partition: number;
  readonly firstOffset: number;
  readonly nextOffset: number;
}

/**
 * The partitions of each topic, including empty ones; null for a missing topic. Retries for as long as a new topic may take to
 * get its leader.
 * @throws a retryable `broker_unavailable`
 */
export function fetchTopicSpans(
  kafka: Kafka,
  topics: readonly string[],
): Promise<ReadonlyMap<string, readonly PartitionSpan[] | null>> {
  return askAdmin(kafka, { what: "the topics' offsets", retries: 4 }, async (admin) => {
    const there = await fetchTopicPartitions(admin, topics);
    const spans = new Map<string, readonly PartitionSpan[] | null>();
    for (const topic of topics) {
      const found = there.has(topic) ? await admin.fetchTopicOffsets(topic) : null;
      spans.set(topic, found?.map(toSpan) ?? null);
    }
    return spans;
  });
}

function toSpan({ partition, low, high }: TopicOffsets[number]): PartitionSpan {
  return { partition, firstOffset: Number(low), nextOffset: Number(high) };
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

interface ReadTopicOptions {
  readonly kafka: Kafka;
  /** The full name, with the deployment's prefix. */
  readonly topic: string;
  /** The first offset to read, by partition; by default the first record. */
  readonly from?: ReadonlyMap<number, number>;
  /** Receives the records of a partition in order; there is no order between partitions. */
  readonly onBatch: (batch: readonly RawMessage[]) => Promise<void> | void;
}

/** Reads everything currently on a topic with a temporary group, which it deletes afterwards. */
export async function readTopic(options: ReadTopicOptions): Promise<void> {
  const { kafka, topic, from, onBatch } = options;
  const groupId = `${topic}-reader-${randomUUID()}`;
  const ends = await fetchTopicOffsets(kafka, topic);
  const spans = ends.map(({ partition, high, low }) => ({
    partition,
    first: Math.max(Number(low), from?.get(partition) ?? 0),
    end: Number(high),
  }));
  const left = new Map(
    spans.filter(({ first, end }) => end > first).map(({ partition, end }) => [partition, end]),
  );
  if (left.size === 0) return;
  await withAdmin(kafka, async (admin) => {
    const first = new Map(spans.map((span) => [span.partition, span.first]));
    await consumeUntil({ kafka, topic, groupId, onBatch, left, first });
    await admin.deleteGroups([groupId]);
  });
}

interface Reading extends ReadTopicOptions {
  readonly groupId: string;
  /** Partition → the offset after its last record; entries are removed once reached. */
  readonly left: Map<number, number>;
  readonly first: ReadonlyMap<number, number>;
}

async function consumeUntil(reading: Reading): Promise<void> {
  const { kafka, topic, groupId, onBatch, left, first } = reading;
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        reject(payload.error);
      });
      consumer
        .run({
          autoCommit: false,
          eachBatch: async ({ batch: { partition, messages } }) => {
            await onBatch(messages.map((message) => toRawMessage(topic, partition, message)));
            const next = Number(messages.at(-1)?.offset ?? -1) + 1;
            if (next >= (left.get(partition) ?? 0)) left.delete(partition);
            if (left.size === 0) resolve();
          },
        })
        .catch(reject);
      // The client obeys these as it joins.
      for (const [partition, offset] of first) {
        consumer.seek({ topic, partition, offset: String(offset) });
      }
    });
  } finally {
    await consumer.disconnect();
  }
}
