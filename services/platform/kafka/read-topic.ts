import { randomUUID } from "node:crypto";
import type { Kafka } from "kafkajs";
import { toRawMessage, type RawMessage } from "./raw-message.ts";
import { fetchTopicOffsets } from "./topic-offsets.ts";

export interface ReadTopicOptions {
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
  const admin = kafka.admin();
  await admin.connect();
  try {
    const first = new Map(spans.map((span) => [span.partition, span.first]));
    await consumeUntil({ kafka, topic, groupId, onBatch, left, first });
    await admin.deleteGroups([groupId]);
  } finally {
    await admin.disconnect();
  }
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
