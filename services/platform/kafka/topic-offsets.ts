import type { Admin, Kafka } from "kafkajs";
import { patiently } from "./passing-fault.ts";

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
