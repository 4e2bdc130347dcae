import type { Admin, Kafka } from "kafkajs";
import { createKafka, type KafkaOptions } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { adminAccess } from "./kafka-access.ts";
import { testStack } from "./test-stack.ts";

/** A client of the run's broker, configured like those of the services. */
export function testKafka(options: Partial<KafkaOptions> = {}): Kafka {
  return createKafka({
    ...adminAccess(testStack().kafka_brokers),
    clientId: "test",
    log: createLogger("test", "silent"),
    ...options,
  });
}

/** A connected admin client, disconnected after the tests. */
export async function connectAdmin(kafka: Kafka = testKafka()): Promise<Admin> {
  const admin = kafka.admin();
  endAfterTests(() => admin.disconnect());
  await admin.connect();
  return admin;
}
