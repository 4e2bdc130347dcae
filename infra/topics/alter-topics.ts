import kafkajs, { type Admin } from "kafkajs";
import { AppError } from "../../services/platform/errors.ts";
import { patiently } from "../../services/platform/kafka/kafka-faults.ts";
import type { PlannedTopic } from "../../services/messages/topic-plan.ts";
import { readExisting } from "./existing-topics.ts";

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
