import kafkajs from "kafkajs";
import type { Admin } from "kafkajs";
import type { PlannedTopic } from "./topic-plan.ts";

/** The planned topics that the broker has already, as it has them; of the settings only the planned ones. */
export async function readExisting(
  admin: Admin,
  planned: readonly PlannedTopic[],
): Promise<readonly PlannedTopic[]> {
  const names = new Set(await admin.listTopics());
  const present = planned.filter(({ name }) => names.has(name));
  if (present.length === 0) return [];

  const [metadata, configs] = await Promise.all([
    admin.fetchTopicMetadata({ topics: present.map(({ name }) => name) }),
    admin.describeConfigs({
      includeSynonyms: false,
      resources: present.map(({ name, settings }) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name,
        configNames: Object.keys(settings),
      })),
    }),
  ]);
  const partitionsOf = new Map(metadata.topics.map((topic) => [topic.name, topic.partitions]));
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

/** What differs between a topic and its plan, a sentence per setting. */
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
