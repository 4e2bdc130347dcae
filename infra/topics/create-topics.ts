import kafkajs, { type Admin, type ITopicConfig } from "kafkajs";
import { AppError } from "../../services/platform/errors.ts";
import { isPassing, patiently } from "../../services/platform/kafka/kafka-faults.ts";
import { fetchTopicPartitions } from "../../services/platform/kafka/topic-offsets.ts";
import { differences, readExisting, withReplicasOf } from "./existing-topics.ts";
import type { PlannedTopic } from "../../services/messages/topic-plan.ts";

/** How long the controller may take; topics that it creates later are found by the next attempt. */
const CONTROLLER_MS = 20_000;
const LISTED_MS = 10_000;

export type TopicAdmin = Pick<Admin, "createTopics" | "describeConfigs" | "fetchTopicMetadata">;

export interface CreateOptions {
  /** False: an existing topic keeps the number of its replicas, and with it the minimum in sync. Default: true. */
  readonly requiresReplication?: boolean;
}

/**
 * Creates the planned topics that are missing and resolves with their number once the broker lists them all; may be
 * called again after any error.
 * @throws `topic_mismatch`, before it creates any, where an existing one differs; a transient error (`isPassing`)
 */
export async function createMissingTopics(
  admin: TopicAdmin,
  planned: readonly PlannedTopic[],
  { requiresReplication = true }: CreateOptions = {},
): Promise<number> {
  const refuse = (existing: readonly PlannedTopic[]): void =>
    refuseDifferences(requiresReplication ? planned : withReplicasOf(existing, planned), existing);
  const existing = await readExisting(admin, planned);
  refuse(existing);
  const present = new Set(existing.map(({ name }) => name));
  const missing = planned.filter(({ name }) => !present.has(name));
  if (missing.length === 0) return 0;

  const isAlone = await create(admin, missing);
  await patiently(() => requireListed(admin, missing), LISTED_MS);
  if (!isAlone) refuse(await readExisting(admin, planned));
  return missing.length;
}

/** False where another process has created some of them in the meantime. */
async function create(admin: TopicAdmin, missing: readonly PlannedTopic[]): Promise<boolean> {
  try {
    return await admin.createTopics({
      waitForLeaders: false,
      timeout: CONTROLLER_MS,
      topics: missing.map(toKafka),
    });
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSAggregateError)) throw error;
    const refusals = error.errors.map((one) => (one instanceof Error ? one : new Error(one)));
    const final = refusals.find((one) => !isPassing(one) && !isOfThisMoment(one));
    if (final !== undefined) throw final;
    const isShort = refusals.some((one) => hasTooFewBrokers(one));
    const most = Math.max(...missing.map(({ replication }) => replication));
    const needs = isShort ? ` ${most} replicas need as many brokers.` : "";
    const why = [...new Set(refusals.map(({ message }) => message))].join(", ");
    const detail = `The controller did not create every topic: ${why}.${needs}`;
    throw new AppError("broker_unavailable", detail, { retryable: true, cause: error });
  }
}

function toKafka({ name, partitions, replication, settings }: PlannedTopic): ITopicConfig {
  return {
    topic: name,
    numPartitions: partitions,
    replicationFactor: replication,
    configEntries: Object.entries(settings).map(([setting, value]) => ({ name: setting, value })),
  };
}

/** Another process has created the topic in the meantime, or too few brokers have registered yet for its replicas. */
function isOfThisMoment(error: Error): boolean {
  return isRefusal(error, "TOPIC_ALREADY_EXISTS") || hasTooFewBrokers(error);
}

function hasTooFewBrokers(error: Error): boolean {
  return isRefusal(error, "INVALID_REPLICATION_FACTOR");
}

function isRefusal(error: Error, type: string): boolean {
  return error instanceof kafkajs.KafkaJSProtocolError && error.type === type;
}

/** Needed because the controller answers before the broker knows the new topics. */
async function requireListed(admin: TopicAdmin, topics: readonly PlannedTopic[]): Promise<void> {
  const names = topics.map(({ name }) => name);
  const listed = await fetchTopicPartitions(admin, names);
  const [hidden] = names.filter((name) => !listed.has(name));
  if (hidden === undefined) return;
  const detail = `The broker does not list ${hidden} yet, which its controller has created.`;
  throw new AppError("broker_unavailable", detail, { retryable: true });
}

function refuseDifferences(
  planned: readonly PlannedTopic[],
  existing: readonly PlannedTopic[],
): void {
  const found = new Map(existing.map((topic) => [topic.name, topic]));
  const faults = planned.flatMap((topic) => {
    const present = found.get(topic.name);
    return present === undefined ? [] : differences(topic, present);
  });
  if (faults.length > 0) throw new AppError("topic_mismatch", faults.join("; "));
}
