import type { Admin, Kafka } from "kafkajs";

/** How far a consumer group is behind on a topic, over all partitions that it has read from. */
export interface GroupLag {
  readonly group: string;
  readonly topic: string;
  readonly messages: number;
}

/** The lag of every consumer group whose name begins with the prefix, on each topic that it commits. */
export async function fetchGroupLags(kafka: Kafka, prefix: string): Promise<GroupLag[]> {
  const admin = kafka.admin({ retry: { retries: 1 } });
  await admin.connect();
  try {
    const { groups } = await admin.listGroups();
    const names = groups.map(({ groupId }) => groupId).filter((name) => name.startsWith(prefix));
    const lags = await Promise.all(names.map((name) => lagsOf(admin, name)));
    return lags.flat();
  } finally {
    await admin.disconnect();
  }
}

async function lagsOf(admin: Admin, group: string): Promise<GroupLag[]> {
  const topics = await admin.fetchOffsets({ groupId: group });
  return Promise.all(
    topics.map(async ({ topic, partitions }) => {
      const ends = await admin.fetchTopicOffsets(topic);
      const committed = new Map(partitions.map((one) => [one.partition, Number(one.offset)]));
      const behind = ends.map(({ partition, high, low }) => {
        const next = Math.max(committed.get(partition) ?? 0, Number(low));
        return Math.max(0, Number(high) - next);
      });
      return { group, topic, messages: behind.reduce((sum, one) => sum + one, 0) };
    }),
  );
}
