import { setTimeout as pause } from "node:timers/promises";
import { AssignerProtocol, type Admin, type GroupDescription, type Kafka } from "kafkajs";
import { AppError } from "../errors.ts";
import { patiently } from "./kafka-faults.ts";
import { askAdmin, withAdmin } from "./topic-offsets.ts";

const POLL_MS = 500;
/** A member leaves once its last fetch has ended. */
const SHORT_FETCH_MS = 50;
const WITHOUT_MEMBERS = ["Empty", "Dead"];
/** How long a coordinator may take to find or load its group after its broker's start. */
const COORDINATOR_MS = 20_000;

/**
 * Waits until none of the groups has a member; a killed member remains until its session times out.
 * @throws `invalid_state`
 */
export async function requireEmptyGroups(
  admin: Admin,
  groups: readonly string[],
  timeoutMs: number,
): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const { groups: described } = await admin.describeGroups([...groups]);
    const joined = described.filter(({ state }) => !WITHOUT_MEMBERS.includes(state));
    if (joined.length === 0) return;
    if (performance.now() > until) {
      const names = joined.map(({ groupId }) => groupId).join(", ");
      throw new AppError("invalid_state", `Stop the services first: ${names} still has members.`);
    }
    await pause(POLL_MS);
  }
}

/** The group's committed offsets by partition; a partition without a commit is absent. */
export async function fetchCommitted(
  admin: Admin,
  group: string,
  topic: string,
): Promise<Map<number, number>> {
  const [found] = await patiently(
    () => admin.fetchOffsets({ groupId: group, topics: [topic] }),
    COORDINATOR_MS,
  );
  return new Map(
    (found?.partitions ?? [])
      .map(({ partition, offset }) => [partition, Number(offset)] as const)
      .filter(([, offset]) => offset >= 0),
  );
}

/** The offsets to commit for a group on a topic, by partition. */
interface GroupPositions {
  readonly group: string;
  readonly topic: string;
  readonly offsets: ReadonlyMap<number, number>;
}

/**
 * Commits offsets for a group without members; may move them backwards. As a member for a moment: the client's own way
 * to set them waits for a fetch, which takes 5 s.
 */
export async function commitPositions(
  kafka: Kafka,
  { group, topic, offsets }: GroupPositions,
): Promise<void> {
  const consumer = kafka.consumer({ groupId: group, maxWaitTimeInMs: SHORT_FETCH_MS });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    const joined = consumer.run({ autoCommit: false, eachBatch: () => Promise.resolve() });
    consumer.pause([{ topic }]);
    await joined;
    await consumer.commitOffsets(
      [...offsets].map(([partition, offset]) => ({ topic, partition, offset: String(offset) })),
    );
  } finally {
    await consumer.disconnect();
  }
}

/** A group's committed offset on a partition. */
export interface CommittedOffset {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** All committed offsets of the groups, on every topic. @throws a retryable `broker_unavailable` */
export function fetchAllCommitted(
  kafka: Kafka,
  groups: readonly string[],
): Promise<CommittedOffset[]> {
  const what = "the groups' committed offsets";
  return askAdmin(kafka, { what, retries: 2 }, async (admin) => {
    const found = await Promise.all(
      groups.map(async (group) => {
        const topics = await admin.fetchOffsets({ groupId: group });
        return topics.flatMap(({ topic, partitions }) =>
          partitions
            .map(({ partition, offset }) => ({ group, topic, partition, offset: Number(offset) }))
            .filter(({ offset }) => offset >= 0),
        );
      }),
    );
    return found.flat();
  });
}

/** How many messages a consumer group is behind on a topic, over all partitions. */
export interface GroupLag {
  readonly group: string;
  readonly topic: string;
  readonly messages: number;
  /** How many read for the group: none where its readers are down, or hang for longer than their session. */
  readonly members: number;
}

/**
 * The lag of the groups that are wanted by their name, on each topic that they have committed or that a member reads: a
 * group stuck at its first message has committed nothing. Nothing is asked about others, which may be no consumers at all,
 * or wait for topics that do not exist.
 */
export function fetchGroupLags(
  kafka: Kafka,
  isWanted: (group: string) => boolean,
): Promise<GroupLag[]> {
  const lagsWith = async (admin: Admin): Promise<GroupLag[]> => {
    const { groups } = await admin.listGroups();
    const names = groups.map(({ groupId }) => groupId).filter(isWanted);
    if (names.length === 0) return [];
    const described = await admin.describeGroups(names);
    const lags = await Promise.all(described.groups.map((group) => lagsOf(admin, group)));
    return lags.flat();
  };
  return withAdmin(kafka, lagsWith, { retry: { retries: 1 } });
}

function topicsRead({ members }: GroupDescription): string[] {
  return members.flatMap(
    ({ memberMetadata }) => AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? [],
  );
}

async function lagsOf(admin: Admin, description: GroupDescription): Promise<GroupLag[]> {
  const { groupId: group } = description;
  const committed = await admin.fetchOffsets({ groupId: group });
  const topics = new Map<string, ReadonlyMap<number, number>>([
    ...topicsRead(description).map((topic) => [topic, new Map()] as const),
    ...committed.map(({ topic, partitions }) => {
      const offsets = partitions.map((one) => [one.partition, Number(one.offset)] as const);
      return [topic, new Map(offsets)] as const;
    }),
  ]);
  return Promise.all(
    [...topics].map(async ([topic, offsets]) => {
      const ends = await admin.fetchTopicOffsets(topic);
      const behind = ends.map(({ partition, high, low }) => {
        const next = Math.max(offsets.get(partition) ?? 0, Number(low));
        return Math.max(0, Number(high) - next);
      });
      const messages = behind.reduce((sum, one) => sum + one, 0);
      return { group, topic, messages, members: description.members.length };
    }),
  );
}
