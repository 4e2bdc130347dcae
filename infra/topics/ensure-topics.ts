import { Kafka, logLevel } from "kafkajs";
import { createSchemaRegistry } from "../../services/platform/avro/schema-registry.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { AppError } from "../../services/platform/errors.ts";
import { isPassing, patiently } from "../../services/platform/kafka/passing-fault.ts";
import { mendRequestTimer } from "../../services/platform/kafka/request-timer.ts";
import { createMissingTopics } from "./create-topics.ts";
import {
  planTopics,
  type PlanOptions,
  type PlannedSubject,
  type PlannedTopic,
  type TopicPlan,
} from "./topic-plan.ts";

/** Few: what a client of kafkajs gives up, the next one tries again. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 };
const PATIENCE_MS = 60_000;

export interface TopicsPlace {
  readonly brokers: readonly string[];
  /** Base URL of the registry's Confluent API. */
  readonly registryUrl: string;
  readonly log: (line: string) => void;
  /** How long faults that pass by themselves are waited out; a minute unless given. */
  readonly patienceMs?: number;
}

export type EnsureTopicsOptions = PlanOptions & TopicsPlace;

/**
 * Tries again until it is done or the patience is over.
 * @throws what does not pass by itself; `stack_failed` with the last fault where nothing else is known of it
 */
async function withPatience<T>(patienceMs: number, attempt: () => Promise<T>): Promise<T> {
  try {
    return await patiently(attempt, patienceMs);
  } catch (error) {
    if (!isPassing(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const detail = `The topics could not be made within ${patienceMs / 1000} s: ${why}`;
    throw new AppError("stack_failed", detail, { cause: error });
  }
}

async function ensureBrokerTopics(
  brokers: readonly string[],
  planned: readonly PlannedTopic[],
): Promise<number> {
  if (planned.length === 0) return 0;
  mendRequestTimer();
  const kafka = new Kafka({
    clientId: "topics",
    brokers: [...brokers],
    retry: RETRY,
    logLevel: logLevel.NOTHING,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await createMissingTopics(admin, planned);
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
 * settings differ or a subject refuses its schema, and changes none of those; `stack_failed` where broker or registry
 * are not ready in the end.
 */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  await ensurePlanned(planTopics(options), options);
}

/** The same for a plan, which may leave some of the contract's out. */
export async function ensurePlanned(plan: TopicPlan, place: TopicsPlace): Promise<void> {
  const { brokers, registryUrl, log, patienceMs = PATIENCE_MS } = place;
  const [created] = await Promise.all([
    withPatience(patienceMs, () => ensureBrokerTopics(brokers, plan.topics)),
    withPatience(patienceMs, () => registerSubjects(registryUrl, plan.subjects)),
  ]);
  log(`topics: ${created} of ${plan.topics.length} created, the others are as they should be`);
  log(`subjects: ${plan.subjects.length} registered`);
}
