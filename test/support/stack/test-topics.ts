import kafkajs from "kafkajs";
import { ensureRights } from "../../../infra/topics/ensure-rights.ts";
import { ensurePlanned } from "../../../infra/topics/ensure-topics.ts";
import { planTopics, type TopicPlan } from "../../../services/messages/topic-plan.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { patiently } from "../../../services/platform/kafka/kafka-faults.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { adminAccess, TEST_PROVIDERS } from "./kafka-access.ts";
import { testStack, uniqueTopicPrefix } from "./test-stack.ts";

/** Two, so that keys fall into different partitions; no more, because one broker carries the topics of all tests. */
const FEW_PARTITIONS = 2;

export interface TestTopicsOptions {
  /** Two unless given; set it in tests of how partitions are assigned. */
  readonly partitions?: number;
  /** One tier unless given: each tier adds a topic, a topic for dead letters and a subject. */
  readonly retrySchedule?: string;
  /** `host:port` of the test's own broker, whose topics are not removed; the run's unless given. */
  readonly brokers?: string;
  /** False: only the subjects, for a product that never connects to Kafka. */
  readonly onBroker?: boolean;
}

/** The retry schedule of a product whose test is not about retries. */
export const ONE_TIER = "1m";

/** Creates topics and subjects for one test and returns their prefix; the topics are removed after the tests. */
export async function createTestTopics(options: TestTopicsOptions = {}): Promise<string> {
  const prefix = uniqueTopicPrefix();
  const { kafka_brokers: shared } = testStack();
  const { brokers = shared, onBroker = true } = options;
  if (onBroker && brokers === shared) {
    const names = planOf(prefix, options).topics.map(({ name }) => name);
    endAfterTests(() => removeTopics(brokers, names));
  }
  await restoreTestTopics(prefix, options);
  return prefix;
}

/** Creates the topics again that a test has removed. */
export async function restoreTestTopics(
  prefix: string,
  options: TestTopicsOptions = {},
): Promise<void> {
  const { kafka_brokers: shared, schema_registry_url: registryUrl } = testStack();
  const { brokers = shared } = options;
  const registry = { SCHEMA_REGISTRY_URL: registryUrl };
  const place = { ...adminAccess(brokers), registry, prefix, log: (): void => undefined };
  const { retrySchedule = ONE_TIER } = options;
  await ensureRights({ ...place, retrySchedule, providers: TEST_PROVIDERS });
  await ensurePlanned(planOf(prefix, options), place);
}

/** Grants the rights of a prefix on the run's broker once more, as each start of a product does. */
export async function grantTestRights(prefix: string): Promise<void> {
  const place = adminAccess(testStack().kafka_brokers);
  await ensureRights({ ...place, prefix, retrySchedule: ONE_TIER, providers: TEST_PROVIDERS });
}

function planOf(prefix: string, options: TestTopicsOptions): TopicPlan {
  const { partitions = FEW_PARTITIONS, retrySchedule = ONE_TIER, onBroker = true } = options;
  const settings = { prefix, partitions, retrySchedule, replication: 1, eventsRetentionMs: null };
  const plan = planTopics(settings);
  return onBroker ? plan : { ...plan, topics: [] };
}

const PATIENCE_MS = 30_000;

async function removeTopics(brokers: string, topics: readonly string[]): Promise<void> {
  const log = createLogger("test", "silent");
  const client = { ...adminAccess(brokers), clientId: "test", retry: { retries: 0 }, log };
  await patiently(async () => {
    const admin = createKafka(client).admin();
    try {
      await admin.connect();
      await admin.deleteTopics({ topics: [...topics] });
    } catch (error) {
      // One topic was already removed, by the test or by an earlier attempt; the broker has removed the others.
      if (!isUnknownTopic(error)) throw error;
    } finally {
      await admin.disconnect();
    }
  }, PATIENCE_MS);
}

function isUnknownTopic(error: unknown): boolean {
  if (error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded) return isUnknownTopic(error.cause);
  return (
    error instanceof kafkajs.KafkaJSProtocolError && error.type === "UNKNOWN_TOPIC_OR_PARTITION"
  );
}
