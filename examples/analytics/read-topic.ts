import { Kafka, type Consumer, type EachBatchPayload } from "kafkajs";
import { EventDecoder } from "./event-decoder.ts";
import { ParquetFolder, type PlacedEvent } from "./parquet-folder.ts";
import type { Settings } from "./settings.ts";

/** A killed reader's partitions are free after this. */
const SESSION_MS = 10_000;
/** Without `once`, a fetch returns with this much or after this long, so that few events share no file of their own. */
const FETCH_BYTES = 1_048_576;
const FETCH_MS = 3_000;
const MOST_BYTES = 4 * FETCH_BYTES;

export interface ReadOptions {
  readonly settings: Settings;
  /** Ends when everything that was on the topic at the start is in the files. */
  readonly once: boolean;
  /** Ends the reading between two batches. */
  readonly signal?: AbortSignal;
  /** Receives a line for each batch that is in the files and committed. */
  readonly print?: (line: string) => void;
}

/** Keeps the folder's Parquet files up to date; returns the number of events read. @throws what Kafka or the registry refused */
export async function readTopic(options: ReadOptions): Promise<number> {
  const folder = await ParquetFolder.open(options.settings);
  try {
    return await readInto(folder, options);
  } finally {
    folder.close();
  }
}

async function readInto(folder: ParquetFolder, options: ReadOptions): Promise<number> {
  const { settings, once } = options;
  const groupId = await folder.group();
  const kafka = new Kafka(settings.kafka);
  const unread = once ? await unreadPartitions(kafka, groupId, settings.topic) : null;
  if (unread?.size === 0) return 0;
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: SESSION_MS,
    allowAutoTopicCreation: false,
    maxBytesPerPartition: MOST_BYTES,
    ...(once ? { maxWaitTimeInMs: 100 } : { minBytes: FETCH_BYTES, maxWaitTimeInMs: FETCH_MS }),
  });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [settings.topic], fromBeginning: true });
    return await consume({ ...options, consumer, folder, unread });
  } finally {
    await consumer.disconnect();
  }
}

/** Partition → the offset after its last event now, of those that the group has not read to there. */
async function unreadPartitions(
  kafka: Kafka,
  groupId: string,
  topic: string,
): Promise<Map<number, number>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ends = await admin.fetchTopicOffsets(topic);
    const [group] = await admin.fetchOffsets({ groupId, topics: [topic] });
    const committed = new Map(
      group?.partitions.map(({ partition, offset }) => [partition, Number(offset)]),
    );
    return new Map(
      ends
        .filter(({ partition, low, high }) => {
          return Number(high) > Math.max(Number(low), committed.get(partition) ?? 0);
        })
        .map(({ partition, high }) => [partition, Number(high)]),
    );
  } finally {
    await admin.disconnect();
  }
}

interface Consuming extends ReadOptions {
  readonly consumer: Consumer;
  readonly folder: ParquetFolder;
  /** Partitions are removed once their end is reached; null to read on for ever. */
  readonly unread: Map<number, number> | null;
}

/** A fault that outlasts the client's own retries ends the reading: start it again. */
function consume(consuming: Consuming): Promise<number> {
  const { consumer, unread, signal } = consuming;
  const decoder = new EventDecoder(consuming.settings);
  let events = 0;
  return new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => resolve(events), { once: true });
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
    consumer
      .run({
        autoCommit: false,
        eachBatch: async (payload) => {
          const next = await storeBatch(consuming, decoder, payload);
          const { partition, messages } = payload.batch;
          events += messages.length;
          if (next >= (unread?.get(partition) ?? Infinity)) unread?.delete(partition);
          if (unread?.size === 0) resolve(events);
        },
      })
      .catch(reject);
  });
}

/**
 * Commits after the files are in place: a kill before that brings the batch again. By the batch's own commit: where the group
 * has dropped a reader that was stalled, the client joins it again; by the consumer's it would crash. Returns the next offset.
 */
async function storeBatch(
  { folder, settings: { topic }, print }: Consuming,
  decoder: EventDecoder,
  payload: EachBatchPayload,
): Promise<number> {
  const { partition, messages } = payload.batch;
  const events: PlacedEvent[] = [];
  for (const { offset, value } of messages) {
    if (value === null) continue;
    const place = { kafka_partition: partition, kafka_offset: Number(offset) };
    events.push({ ...place, ...(await decoder.decode(value)) });
  }
  const { columns } = decoder;
  await folder.add({ partition, events, columns, onFile: () => payload.heartbeat() });
  const next = Number(messages.at(-1)?.offset ?? -1) + 1;
  const partitions = [{ partition, offset: String(next) }];
  await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions }] });
  await payload.heartbeat();
  print?.(`${events.length} events of partition ${partition} to offset ${next - 1}`);
  return next;
}
