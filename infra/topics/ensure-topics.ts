import {
  planTopics,
  type PlannedSubject,
  type PlannedTopic,
  type PlanOptions,
  type TopicPlan,
} from "../../services/messages/topic-plan.ts";
import type { RegistryAccess } from "../../services/platform/avro/registry-connection.ts";
import { createSchemaRegistry } from "../../services/platform/avro/schema-registry.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { AppError } from "../../services/platform/errors.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import { isPassing, patiently } from "../../services/platform/kafka/kafka-faults.ts";
import type { KafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { alterTopics, createMissingTopics, lessReplicated, readExisting } from "./create-topics.ts";
import { growTopics, withFewerPartitionsOf } from "./grow-topics.ts";

/** Few retries per kafkajs client, because `withPatience` tries again with a new one. */
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 };
const PATIENCE_MS = 60_000;

export interface TopicsPlace {
  readonly brokers: readonly string[];
  readonly security: KafkaSecurity;
  readonly registry: RegistryAccess;
  readonly log: (line: string) => void;
  /** Of the topics and groups of the installation; default: none. */
  readonly prefix?: string;
  /** False: existing topics keep the number of their replicas. Default: true. */
  readonly requiresReplication?: boolean;
  /** How long transient errors are retried; default: a minute. */
  readonly patienceMs?: number;
}

export type EnsureTopicsOptions = PlanOptions & TopicsPlace;

/**
 * Retries transient errors until success or the end of the time.
 * @throws any other error at once; `stack_failed` with the last transient error
 */
async function withPatience<T>(patienceMs: number, attempt: () => Promise<T>): Promise<T> {
  try {
    return await patiently(attempt, patienceMs);
  } catch (error) {
    if (!isPassing(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    const detail = `The topics could not be created within ${patienceMs / 1000} s: ${why}`;
    throw new AppError("stack_failed", detail, { cause: error });
  }
}

interface Ensured {
  readonly created: number;
  /** How many were given another size or dating of messages. */
  readonly altered: number;
  /** How many were given more partitions. */
  readonly grown: number;
  /** Topics from before there were so many brokers. */
  readonly lessReplicated: readonly PlannedTopic[];
}

async function ensureBrokerTopics(
  { brokers, security, prefix = "", requiresReplication = true }: TopicsPlace,
  planned: readonly PlannedTopic[],
): Promise<Ensured> {
  if (planned.length === 0) return { created: 0, altered: 0, grown: 0, lessReplicated: [] };
  const log = createLogger("topics", "silent");
  const kafka = createKafka({ brokers, security, clientId: "topics", retry: RETRY, log });
  const admin = kafka.admin();
  try {
    await admin.connect();
    const altered = await alterTopics(admin, planned);
    const before = await readExisting(admin, planned);
    const wanted = withFewerPartitionsOf(before, planned);
    const created = await createMissingTopics(admin, wanted, { requiresReplication });
    const grown = await growTopics({ kafka, admin, prefix }, planned);
    return { created, altered, grown, lessReplicated: lessReplicated(before, planned) };
  } finally {
    await admin.disconnect();
  }
}

async function registerSubjects(
  access: RegistryAccess,
  subjects: readonly PlannedSubject[],
): Promise<void> {
  const registry = createSchemaRegistry({ access, clock: systemClock });
  // The registry may compare texts, and clients cut the line break off the end of a file's.
  const registered = subjects.map(async ({ subject, text }) => {
    await registry.register(subject, text.trim());
    await registry.register(subject, text);
  });
  await Promise.all(registered).catch((error: unknown) => {
    throw namingRegistry(error, access.SCHEMA_REGISTRY_URL);
  });
}

/** The fault of a registry that is away, with its address but for a login. */
export function namingRegistry(error: unknown, url: string): unknown {
  if (!(error instanceof AppError) || error.code !== "registry_unavailable") return error;
  const { origin, pathname } = new URL(url);
  const detail = `the schema registry at ${origin}${pathname} is not responding properly`;
  return new AppError("registry_unavailable", detail, { retryable: true, cause: error });
}

/**
 * Creates every missing topic and subject of the contract, alters what may be altered of others, and adds partitions where
 * more are planned.
 * @throws `topic_mismatch` where a topic's other settings differ or a subject refuses its schema, which it does not change;
 * `invalid_state` where partitions are to be added to a topic with unread messages or with readers;
 * `stack_failed` where broker or registry do not become ready
 */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  await ensurePlanned(planTopics(options), options);
}

/** The same for a plan, which may omit some of the contract's topics. */
export async function ensurePlanned(plan: TopicPlan, place: TopicsPlace): Promise<void> {
  const { registry, log, patienceMs = PATIENCE_MS } = place;
  const [{ created, altered, grown, lessReplicated: kept }] = await Promise.all([
    withPatience(patienceMs, () => ensureBrokerTopics(place, plan.topics)),
    withPatience(patienceMs, () => registerSubjects(registry, plan.subjects)),
  ]);
  log(`topics: ${created} of ${plan.topics.length} created, the others exist as planned`);
  if (altered > 0) log(`topics: ${altered} have other limits on their messages now`);
  if (grown > 0) log(`topics: ${grown} have more partitions now`);
  const [few] = kept;
  if (few !== undefined)
    log(
      `topics: warning: ${kept.length} keep fewer replicas than planned, such as ${few.name}, which has ${few.replication}: while one broker is lost, what it alone has is unavailable`,
    );
  log(`subjects: ${plan.subjects.length} registered`);
}
