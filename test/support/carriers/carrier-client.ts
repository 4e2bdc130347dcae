import { createCodec, type Sparse } from "../../../services/messages/codec.ts";
import { outgoing, sendRules } from "../../../services/messages/bus/outgoing.ts";
import { providerUser } from "../../../services/messages/bus/topic-rights.ts";
import type { MessageOf, TopicName } from "../../../services/messages/topics.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createProducer, type Producer } from "../../../services/platform/kafka/producer.ts";
import { readKafkaSecurity } from "../../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import type { Product } from "../product/product.ts";
import { variablesOf } from "../stack/kafka-access.ts";

/** Publishes what a provider's integration may publish. */
export interface CarrierClient {
  readonly producer: Producer;
  publish<T extends TopicName>(topic: T, key: string, message: Sparse<MessageOf<T>>): Promise<void>;
}

const log = createLogger("carrier", "silent");

/** Logs in to the product's Kafka as the provider, like its integration; `env` adds to the login, such as TLS. */
export async function openCarrierClient(
  { kafkaBrokers, registryUrl, topicPrefix }: Product,
  provider: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CarrierClient> {
  const registry = { SCHEMA_REGISTRY_URL: registryUrl };
  const { signal } = new AbortController();
  const codec = await createCodec({ registry, topicPrefix, signal, log, clock: systemClock });
  const security = readKafkaSecurity({ ...variablesOf(providerUser(provider)), ...env });
  const client = { brokers: [kafkaBrokers], security, clientId: provider, log };
  const producer = createProducer(createKafka({ ...client, retry: { retries: 2 } }), {
    clock: systemClock,
    log,
    ...sendRules(topicPrefix),
  });
  endAfterTests(() => producer.stop());
  return {
    producer,
    publish: async (topic, key, message) => {
      const messageId = crypto.randomUUID();
      await producer.send([outgoing({ codec, topicPrefix }, topic, { key, messageId, message })]);
    },
  };
}
