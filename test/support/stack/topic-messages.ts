import { createCodec } from "../../../services/messages/codec.ts";
import type { MessageOf, TopicName } from "../../../services/messages/topics.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { adminAccess, TEST_REGISTRY_READER } from "./kafka-access.ts";
import type { Product } from "../product/product.ts";
import { readTopic } from "./topic-reader.ts";

const log = createLogger("topic-messages", "silent");

export type TopicPlace = Pick<Product, "kafkaBrokers" | "registryUrl" | "topicPrefix">;

/** The messages now on a topic of the product, decoded, in order within each partition. */
export async function readMessages<T extends TopicName>(
  { kafkaBrokers, registryUrl, topicPrefix }: TopicPlace,
  topic: T,
): Promise<MessageOf<T>[]> {
  const { signal } = new AbortController();
  const registry = { SCHEMA_REGISTRY_URL: registryUrl, ...TEST_REGISTRY_READER };
  const codec = await createCodec({ registry, topicPrefix, signal, log, clock: systemClock });
  const kafka = createKafka({ ...adminAccess(kafkaBrokers), clientId: "topic-messages", log });
  const records = await readTopic(kafka, topicPrefix + topic);
  return Promise.all(records.map(async ({ value }) => codec.decode(topic, value)));
}
