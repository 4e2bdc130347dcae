import type { Kafka } from "kafkajs";
import type { RawMessage } from "../../../services/platform/kafka/raw-message.ts";
import { readTopic as readBatches } from "../../../services/platform/kafka/topic-offsets.ts";

/** All messages now on a topic, in order within each partition. */
export async function readTopic(kafka: Kafka, topic: string): Promise<RawMessage[]> {
  const messages: RawMessage[] = [];
  await readBatches({
    kafka,
    topic,
    onBatch: (batch) => {
      messages.push(...batch);
    },
  });
  return messages;
}
