import kafkajs, { type Admin, type ITopicConfig } from "kafkajs";
import type { PlannedTopic } from "../../services/messages/topic-plan.ts";
import { AppError } from "../../services/platform/errors.ts";
import { isPassing, patiently } from "../../services/platform/kafka/kafka-faults.ts";
import { fetchTopicPartitions } from "../../services/platform/kafka/topic-offsets.ts";

/** The planned topics that exist already, as the broker has them; only the settings that are planned. */
export async function readExisting(
  admin: Pick<Admin, "describeConfigs" | "fetchTopicMetadata">,
  planned: readonly PlannedTopic[],
): Promise<readonly PlannedTopic[]> {
  const names = planned.map(({ name }) => name);
  const partitionsOf = await fetchTopicPartitions(admin, names);
  const present = planned.filter(({ name }) => partitionsOf.has(name));
  if (present.length === 0) return [];

  const configs = await admin.describeConfigs({
    includeSynonyms: false,
    resources: present.map(({ name, settings }) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configNames: Object.keys(settings),
    })),
  });
  const entriesOf = new Map(
    configs.resources.map((resource) => [resource.resourceName, resource.configEntries]),
  );
  return present.map(({ name }) => ({
    name,
    partitions: partitionsOf.get(name)?.length ?? 0,
    replication: partitionsOf.get(name)?.[0]?.replicas.length ?? 0,
    settings: Object.fromEntries(
      (entriesOf.get(name) ?? []).map(({ configName, configValue }) => [configName, configValue]),
    ),
  }));
}

const MIN_IN_SYNC = "min.insync.replicas";

/** The plan with the replicas that existing topics have. */
export function withReplicasOf(
  existing: readonly PlannedTopic[],
  planned: readonly PlannedTopic[],
): PlannedTopic[] {
  const found = new Map(existing.map((topic) => [topic.name, topic]));
  return planned.map((topic) => {
    const present = found.get(topic.name);
    if (present === undefined || present.replication === topic.replication) return topic;
    const { replication, settings } = present;
    const { [MIN_IN_SYNC]: minimum } = settings;
    const inSync = minimum === undefined ? {} : { [MIN_IN_SYNC]: minimum };
    return { ...topic, replication, settings: { ...topic.settings, ...inSync } };
  });
}

/** The existing topics that have fewer replicas than are planned. */
export function lessReplicated(
  existing: readonly PlannedTopic[],
  planned: readonly PlannedTopic[],
): PlannedTopic[] {
  const wanted = new Map(planned.map(({ name, replication }) => [name, replication]));
  return existing.filter(({ name, replication }) => replication < (wanted.get(name) ?? 0));
}

/** The differences between a topic and its plan, a sentence per setting. */
export function differences(planned: PlannedTopic, existing: PlannedTopic): readonly string[] {
  const wanted = { ...planned.settings, ...counts(planned) };
  const found: Readonly<Record<string, string>> = { ...existing.settings, ...counts(existing) };
  return Object.entries(wanted)
    .filter(([setting, value]) => found[setting] !== value)
    .map(
      ([setting, value]) =>
        `topic ${planned.name} has ${setting} ${found[setting] ?? "unset"}, not ${value}`,
    );
}

function counts({ partitions, replication }: PlannedTopic): Readonly<Record<string, string>> {
  return { partitions: String(partitions), replication: String(replication) };
}

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

/** What an existing topic is given where it differs: each only says what is taken from now on. */
const ALTERABLE = ["max.message.bytes", "message.timestamp.type"];
/** Of a setting that the topic itself has. */
const OWN_SETTING = 1;
const isOwn = (source: number): boolean => source === OWN_SETTING;
const OBEYED_MS = 10_000;

export type AlterAdmin = Pick<Admin, "alterConfigs" | "describeConfigs" | "fetchTopicMetadata">;

/** Alters these settings of existing topics that have others, and returns how many these are. */
export async function alterTopics(
  admin: AlterAdmin,
  planned: readonly PlannedTopic[],
): Promise<number> {
  const different = await findDifferent(admin, planned);
  if (different.length === 0) return 0;
  await alter(admin, different);
  // Brokers obey a moment after the controller has confirmed it.
  await patiently(async () => {
    const [other] = await findDifferent(admin, different);
    if (other === undefined) return;
    const detail = `The broker does not have the new settings of ${other.name} yet.`;
    throw new AppError("broker_unavailable", detail, { retryable: true });
  }, OBEYED_MS);
  return different.length;
}

async function findDifferent(
  admin: AlterAdmin,
  planned: readonly PlannedTopic[],
): Promise<PlannedTopic[]> {
  const existing = new Map((await readExisting(admin, planned)).map((one) => [one.name, one]));
  return planned.filter(({ name, settings }) => {
    const found = existing.get(name)?.settings;
    return found !== undefined && ALTERABLE.some((one) => isOther(settings[one], found[one]));
  });
}

async function alter(admin: AlterAdmin, different: readonly PlannedTopic[]): Promise<void> {
  // The request replaces all that a topic has.
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: different.map(({ name }) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  const kept = new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      configEntries
        .filter(({ configSource }) => isOwn(configSource))
        .map(({ configName, configValue }) => [configName, configValue] as const),
    ]),
  );
  await admin.alterConfigs({
    validateOnly: false,
    resources: different.map(({ name, settings }) => {
      const altered = ALTERABLE.flatMap((one) => {
        const value = settings[one];
        return value === undefined ? [] : [[one, value] as const];
      });
      const all = Object.fromEntries([...(kept.get(name) ?? []), ...altered]);
      const configEntries = Object.entries(all).map(([setting, value]) => ({
        name: setting,
        value,
      }));
      return { type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries };
    }),
  });
}

function isOther(wanted: string | undefined, found: string | undefined): boolean {
  return wanted !== undefined && wanted !== found;
}
