import { AssignerProtocol, type Admin, type GroupDescription, type Kafka } from "kafkajs";

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
export async function fetchGroupLags(
  kafka: Kafka,
  isWanted: (group: string) => boolean,
): Promise<GroupLag[]> {
  const admin = kafka.admin({ retry: { retries: 1 } });
  await admin.connect();
  try {
    const { groups } = await admin.listGroups();
    const names = groups.map(({ groupId }) => groupId).filter(isWanted);
    if (names.length === 0) return [];
    const described = await admin.describeGroups(names);
    const lags = await Promise.all(described.groups.map((group) => lagsOf(admin, group)));
    return lags.flat();
  } finally {
    await admin.disconnect();
  }
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
