import { randomUUID } from "node:crypto";
import type { Kafka } from "kafkajs";
import type { RawMessage } from "./raw-message.ts";
import { toRawMessage } from "./raw-message.ts";

export interface ReadTopicOptions {
  readonly kafka: Kafka;
  /** Its full name. */
  readonly topic: string;
  /** The records of a partition in its order; between partitions there is none. */
  readonly onBatch: (batch: readonly RawMessage[]) => Promise<void> | void;
}

/** Reads all that lies on a topic now, from its first record, as nobody's group: it leaves nothing behind. */
export async function readTopic(options: ReadTopicOptions): Promise<void> {
  const { kafka, topic, onBatch } = options;
  const groupId = `${topic}-reader-${randomUUID()}`;
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ends = await admin.fetchTopicOffsets(topic);
    const left = new Map(
      ends
        .filter(({ high, low }) => Number(high) > Number(low))
        .map(({ partition, high }) => [partition, Number(high)]),
    );
    if (left.size === 0) return;
    await consumeUntil({ kafka, topic, groupId, onBatch, left });
    await admin.deleteGroups([groupId]);
  } finally {
    await admin.disconnect();
  }
}

interface Reading extends ReadTopicOptions {
  readonly groupId: string;
  /** Partition → the offset before which its last record lies; emptied as they are reached. */
  readonly left: Map<number, number>;
}

async function consumeUntil({ kafka, topic, groupId, onBatch, left }: Reading): Promise<void> {
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
    });
  } finally {
    await consumer.disconnect();
  }
}
