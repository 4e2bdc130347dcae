import { setTimeout as wait } from "node:timers/promises";
import { Kafka, logLevel } from "kafkajs";
import type { Admin } from "kafkajs";
import { createSchemaRegistry } from "../../services/platform/avro/schema-registry.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { AppError } from "../../services/platform/errors.ts";
import { mendRequestTimer } from "../../services/platform/kafka/request-timer.ts";
import { differences, readExisting } from "./existing-topics.ts";
import type { PlanOptions, PlannedSubject, PlannedTopic } from "./topic-plan.ts";
import { planTopics } from "./topic-plan.ts";

/** The list of all topics is refused while any of them, also somebody else's, has no leader yet: about half a minute. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 30 };
const LISTING_PAUSE_MS = 20;
const LISTING_TRIES = 500;

export interface EnsureTopicsOptions extends PlanOptions {
  readonly brokers: readonly string[];
  /** Base URL of the registry's Confluent API. */
  readonly registryUrl: string;
  readonly log: (line: string) => void;
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

/** The controller answers before the broker knows the new topics, and kafkajs' own waiting fails on that. */
async function untilListed(admin: Admin, topics: readonly PlannedTopic[]): Promise<void> {
  for (let tries = LISTING_TRIES; tries > 0; tries -= 1) {
    const listed = new Set(await admin.listTopics());
    if (topics.every(({ name }) => listed.has(name))) return;
    await wait(LISTING_PAUSE_MS);
  }
  throw new AppError("stack_failed", "the broker does not show the topics that it made");
}

async function createMissing(admin: Admin, planned: readonly PlannedTopic[]): Promise<number> {
  const existing = await readExisting(admin, planned);
  refuseDifferences(planned, existing);
  const present = new Set(existing.map(({ name }) => name));
  const missing = planned.filter(({ name }) => !present.has(name));
  if (missing.length === 0) return 0;

  const created = await admin.createTopics({
    waitForLeaders: false,
    topics: missing.map(({ name, partitions, replication, settings }) => ({
      topic: name,
      numPartitions: partitions,
      replicationFactor: replication,
      configEntries: Object.entries(settings).map(([setting, value]) => ({ name: setting, value })),
    })),
  });
  await untilListed(admin, missing);
  // Somebody else made some of them meanwhile.
  if (!created) refuseDifferences(planned, await readExisting(admin, planned));
  return missing.length;
}

async function ensureBrokerTopics(
  brokers: readonly string[],
  planned: readonly PlannedTopic[],
): Promise<number> {
  mendRequestTimer();
  const kafka = new Kafka({
    clientId: "topics",
    brokers: [...brokers],
    retry: RETRY,
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await createMissing(admin, planned);
  } finally {
    await admin.disconnect();
  }
}

async function registerSubjects(url: string, subjects: readonly PlannedSubject[]): Promise<void> {
  const registry = createSchemaRegistry({ url, clock: systemClock });
  await Promise.all(subjects.map(({ subject, schema }) => registry.register(subject, schema)));
}

/**
 * Makes every topic and subject of the contract that is not there yet. Throws `topic_mismatch` where a topic's
 * settings differ or a subject refuses its schema, and changes none of those.
 */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  const plan = planTopics(options);
  const [created] = await Promise.all([
    ensureBrokerTopics(options.brokers, plan.topics),
    registerSubjects(options.registryUrl, plan.subjects),
  ]);
  options.log(
    `topics: ${created} of ${plan.topics.length} created, the others are as they should be`,
  );
  options.log(`subjects: ${plan.subjects.length} registered`);
}
