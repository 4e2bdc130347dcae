import kafkajs, { Kafka, logLevel } from "kafkajs";
import { ensurePlanned } from "../../../infra/topics/ensure-topics.ts";
import { planTopics, type TopicPlan } from "../../../infra/topics/topic-plan.ts";
import { patiently } from "../../../services/platform/kafka/passing-fault.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { testStack, uniqueTopicPrefix } from "./test-stack.ts";

/** Two, so that keys lie apart; the broker of the run carries the topics of every test that runs. */
const FEW_PARTITIONS = 2;

export interface TestTopicsOptions {
  /** For tests of how the product shares partitions out; two unless given. */
  readonly partitions?: number;
  /** One tier unless given: each has a topic, a topic for dead letters and a subject. */
  readonly retrySchedule?: string;
  /** `host:port` of a broker of the test's own, with which its topics go; the run's unless given. */
  readonly brokers?: string;
  /** False: the subjects alone, for what never opens a connection to Kafka. */
  readonly onBroker?: boolean;
}

/** The retry schedule of a product whose test is not about retries. */
export const ONE_TIER = "1m";

/** Topics and subjects of the test's own, by the prefix that it returns; the topics are removed after the tests. */
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

/** Makes those again that a test has removed. */
export async function restoreTestTopics(
  prefix: string,
  options: TestTopicsOptions = {},
): Promise<void> {
  const { kafka_brokers: shared, schema_registry_url: registryUrl } = testStack();
  const { brokers = shared } = options;
  const place = { brokers: [brokers], registryUrl, log: (): void => undefined };
  await ensurePlanned(planOf(prefix, options), place);
}

function planOf(prefix: string, options: TestTopicsOptions): TopicPlan {
  const { partitions = FEW_PARTITIONS, retrySchedule = ONE_TIER, onBroker = true } = options;
  const settings = { prefix, partitions, retrySchedule, replication: 1, eventsRetentionMs: null };
  const plan = planTopics(settings);
  return onBroker ? plan : { ...plan, topics: [] };
}

const PATIENCE_MS = 30_000;

async function removeTopics(brokers: string, topics: readonly string[]): Promise<void> {
  const client = { brokers: [brokers], logLevel: logLevel.NOTHING, retry: { retries: 0 } };
  await patiently(async () => {
    const admin = new Kafka(client).admin();
    try {
      await admin.connect();
      await admin.deleteTopics({ topics: [...topics] });
    } catch (error) {
      // The broker has removed the others besides: one is gone already, by the test itself or by an earlier try.
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
