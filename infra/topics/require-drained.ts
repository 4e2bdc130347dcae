import type { Admin, Kafka } from "kafkajs";
import { groupsOf, topicRights, type Party } from "../../services/messages/bus/topic-rights.ts";
import { STATIC_TOPIC_NAMES } from "../../services/messages/topics.ts";
import { AppError } from "../../services/platform/errors.ts";
import {
  fetchGroupLags,
  requireEmptyGroups,
  type GroupLag,
} from "../../services/platform/kafka/group-positions.ts";
import { fetchTopicSpans } from "../../services/platform/kafka/topic-offsets.ts";

/** A killed member remains until its session times out. */
const MEMBERS_MS = 10_000;

/** Nobody else need have read a topic: what only integrations read may have no reader at all. */
const INTEGRATIONS: readonly Party[] = ["providers", "sandbox-carrier", "platform-carrier"];

export interface Drained {
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
export async function requireDrained(drained: Drained, topics: readonly string[]): Promise<void> {
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
