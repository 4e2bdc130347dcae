import { setTimeout as pause } from "node:timers/promises";
import type { Kafka } from "kafkajs";
import type { Pool } from "pg";
import { fetchCommitted } from "../../platform/kafka/group-positions.ts";
import { fetchTopicSpans } from "../../platform/kafka/topic-spans.ts";
import {
  movePositions,
  raisePositions,
  readHighestId,
  readPositionsOn,
  resetRows,
  type ConsumerPosition,
} from "./store/topic-reset-step.ts";

export interface TopicReset {
  readonly pool: Pool;
  readonly kafka: Kafka;
  readonly topicPrefix: string;
  /** False once the run must end: the lock was lost, or the service is stopping. */
  readonly mayGoOn: () => boolean;
  /** Messages were left to the relay, which sends them from the table. */
  readonly onDeferred: () => void;
}

/** The longest time between an effect and the commit of its offset. */
const COMMIT_MS = 1_000;

/**
 * Adjusts the outbox, page by page, and then the positions to a recreated topic; returns how many rows
 * will be sent again. If it is interrupted, the old positions still reveal the recreated topic and the
 * next run starts again.
 */
export async function resetTopic(reset: TopicReset, topic: string): Promise<number> {
  const { pool, mayGoOn, onDeferred } = reset;
  const through = await readHighestId(pool);
  let unsent = 0;
  for (let from = 0; mayGoOn();) {
    const page = await resetRows(pool, { topic, from, through });
    unsent += page.unsent;
    if (page.last === null) {
      await movePositions(pool, topic, await newPositions(reset, topic));
      // A consumer that was at work noted its position below the old one, and commits the offset only now.
      await pause(COMMIT_MS, undefined, { ref: false });
      await raisePositions(pool, topic, await newPositions(reset, topic));
      onDeferred();
      break;
    }
    from = page.last + 1;
  }
  return unsent;
}

/**
 * The partition's first offset, or the offset committed since: everything below it had its effect. A
 * commit beyond the partition's end belongs to the deleted topic.
 */
async function newPositions(
  { pool, kafka, topicPrefix }: TopicReset,
  topic: string,
): Promise<ConsumerPosition[]> {
  const positions = await readPositionsOn(pool, topic);
  const admin = kafka.admin();
  await admin.connect();
  try {
    const committed = new Map<string, Map<number, number>>();
    for (const consumer of new Set(positions.map((one) => one.consumer))) {
      committed.set(consumer, await fetchCommitted(admin, topicPrefix + consumer, topic));
    }
    const spans = (await fetchTopicSpans(kafka, [topic])).get(topic) ?? [];
    return positions.map((position) => {
      const span = spans.find(({ partition }) => partition === position.partition);
      const { firstOffset = 0, nextOffset = 0 } = span ?? {};
      const offset = committed.get(position.consumer)?.get(position.partition) ?? 0;
      const isOfThisTopic = offset <= nextOffset;
      return {
        ...position,
        nextOffset: isOfThisTopic ? Math.max(firstOffset, offset) : firstOffset,
      };
    });
  } finally {
    await admin.disconnect();
  }
}
