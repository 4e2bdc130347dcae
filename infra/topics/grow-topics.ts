import type { Admin, Kafka } from "kafkajs";
import { groupsOf, topicRights, type Party } from "../../services/messages/bus/topic-rights.ts";
import { STATIC_TOPIC_NAMES } from "../../services/messages/topics.ts";
import type { PlannedTopic } from "../../services/messages/topic-plan.ts";
import { AppError } from "../../services/platform/errors.ts";
import {
  fetchGroupLags,
  type GroupLag,
  requireEmptyGroups,
} from "../../services/platform/kafka/group-positions.ts";
import { patiently } from "../../services/platform/kafka/kafka-faults.ts";
import { fetchTopicSpans } from "../../services/platform/kafka/topic-offsets.ts";
import { readExisting } from "./create-topics.ts";

/** A killed member remains until its session times out. */
const MEMBERS_MS = 10_000;

/** Nobody else need have read a topic: what only integrations read may have no reader at all. */
const INTEGRATIONS: readonly Party[] = ["providers", "sandbox-carrier", "platform-carrier"];

interface Drained {
  readonly kafka: Kafka;
  readonly admin: Admin;
  /** Of the installation's topics and groups. */
  readonly prefix: string;
}

/**
 * Makes sure that each message of these topics has been read and nobody reads on, so that a key may move to another
 * partition: nothing of it is left behind in the one before. Delays and dead letters are in no order.
 * @throws `invalid_state` naming what is unread, or who still reads
 */
async function requireDrained(drained: Drained, topics: readonly string[]): Promise<void> {
  const { admin, kafka, prefix } = drained;
  const ordered = STATIC_TOPIC_NAMES.map((name) => prefix + name).filter((name) =>
    topics.includes(name),
  );
  const readers = new Set((await lagsOn(drained, ordered)).map(({ group }) => group));
  if (readers.size > 0) await requireEmptyGroups(admin, [...readers], MEMBERS_MS);
  const lags = await lagsOn(drained, ordered);
  const spans = await fetchTopicSpans(kafka, ordered);
  const unread = lags
    .filter(({ messages }) => messages > 0)
    .map(({ group, topic, messages }) => `${group} has ${messages} to read on ${topic}`);
  const unknown = ordered
    .filter((topic) => isOurs(topic.slice(prefix.length)))
    .filter((topic) => !lags.some((lag) => lag.topic === topic))
    .filter((topic) => spans.get(topic)?.some((one) => one.nextOffset > one.firstOffset))
    .map((topic) => `nobody has read ${topic}`);
  const [reason] = [...unread, ...unknown];
  if (reason === undefined) return;
  const detail = `Partitions can only be added once every message has been read, or those of an order would change places: ${reason}. See "Adding partitions" in docs/operations.md.`;
  throw new AppError("invalid_state", detail);
}

async function lagsOn(
  { kafka, prefix }: Drained,
  topics: readonly string[],
): Promise<readonly GroupLag[]> {
  // It keeps no offsets, but reads from the beginning whenever it joins.
  const without = groupsOf([]).get("sandbox-carrier") ?? [];
  const isCounted = (name: string): boolean =>
    name.startsWith(prefix) && !without.includes(name.slice(prefix.length));
  const lags = await fetchGroupLags(kafka, isCounted);
  return lags.filter(({ topic }) => topics.includes(topic));
}

/** Whether one of our own services reads the topic. */
function isOurs(topic: string): boolean {
  const readers = topicRights([]).get(topic)?.read ?? [];
  return readers.some((party) => !INTEGRATIONS.includes(party));
}

const LISTED_MS = 10_000;

/** The plan with the partitions of existing topics that have fewer. */
export function withFewerPartitionsOf(
  existing: readonly PlannedTopic[],
  planned: readonly PlannedTopic[],
): PlannedTopic[] {
  const found = new Map(existing.map(({ name, partitions }) => [name, partitions]));
  return planned.map((topic) => {
    const present = found.get(topic.name) ?? topic.partitions;
    return { ...topic, partitions: Math.min(present, topic.partitions) };
  });
}

/**
 * Adds the planned partitions to existing topics that have fewer, and returns how many these are. A key that was in one
 * partition may then go to another.
 * @throws `invalid_state` where messages of such a topic are unread, or somebody still reads it
 */
export async function growTopics(
  drained: Drained,
  planned: readonly PlannedTopic[],
): Promise<number> {
  const { admin } = drained;
  const few = await findFew(drained, planned);
  if (few.length === 0) return 0;
  const names = few.map(({ name }) => name);
  await requireDrained(drained, names);
  const topicPartitions = few.map(({ name, partitions }) => ({ topic: name, count: partitions }));
  await admin.createPartitions({ topicPartitions });
  await patiently(async () => {
    const [hidden] = await findFew(drained, few);
    if (hidden === undefined) return;
    const detail = `The broker does not list the partitions of ${hidden.name} yet.`;
    throw new AppError("broker_unavailable", detail, { retryable: true });
  }, LISTED_MS);
  return few.length;
}

/** The plans of existing topics that have fewer partitions. */
async function findFew(
  { admin }: Drained,
  planned: readonly PlannedTopic[],
): Promise<PlannedTopic[]> {
  const existing = await readExisting(admin, planned);
  const found = new Map(existing.map(({ name, partitions }) => [name, partitions]));
  return planned.filter(({ name, partitions }) => (found.get(name) ?? partitions) < partitions);
}
