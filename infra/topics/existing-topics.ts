import kafkajs, { type Admin } from "kafkajs";
import { fetchTopicPartitions } from "../../services/platform/kafka/topic-offsets.ts";
import type { PlannedTopic } from "../../services/messages/topic-plan.ts";

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
