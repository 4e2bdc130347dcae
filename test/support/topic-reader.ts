import type { Kafka } from "kafkajs";
import { until } from "../../infra/supervisor/until.ts";
import type { RawMessage } from "../../services/platform/kafka/raw-message.ts";
import { toRawMessage } from "../../services/platform/kafka/raw-message.ts";

/** All that lies on a topic now, each partition in its order; the group has the topic's name. */
export async function readTopic(kafka: Kafka, topic: string): Promise<RawMessage[]> {
  const admin = kafka.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const wanted = ends.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  const consumer = kafka.consumer({ groupId: `${topic}-reader`, maxWaitTimeInMs: 100 });
  const messages: RawMessage[] = [];
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: ({ partition, message }) => {
      messages.push(toRawMessage(topic, partition, message));
      return Promise.resolve();
    },
  });
  await until(() => messages.length >= wanted, { timeoutMs: 30_000, what: `all of ${topic}` });
  await consumer.disconnect();
  return messages;
}
