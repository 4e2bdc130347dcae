import { AppError } from "../../services/platform/errors.ts";
import { patiently } from "../../services/platform/kafka/kafka-faults.ts";
import type { PlannedTopic } from "../../services/messages/topic-plan.ts";
import { readExisting } from "./existing-topics.ts";
import { requireDrained, type Drained } from "./require-drained.ts";

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
