import { describe, expect, it } from "@jest/globals";
import type { IResourceConfig } from "kafkajs";
import type { PlannedTopic } from "../../services/messages/topic-plan.ts";
import { alterTopics, type AlterAdmin } from "./alter-topics.ts";

const SETTINGS = {
  "cleanup.policy": "delete",
  "max.message.bytes": "65536",
  "message.timestamp.type": "LogAppendTime",
};

function planned(name: string): PlannedTopic {
  return { name, partitions: 1, replication: 1, settings: SETTINGS };
}

/** A broker with these topics, each of which has the settings as its own. */
function brokerWith(given: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const topics = { ...given };
  const altered: IResourceConfig[] = [];
  const admin = {
    fetchTopicMetadata: ({ topics: names = [] }: { topics?: readonly string[] } = {}) =>
      Promise.resolve({
        topics: names.map((name) => ({ name, partitions: [{ replicas: [1] }] })),
      }),
    describeConfigs: ({ resources }: { resources: readonly { name: string }[] }) =>
      Promise.resolve({
        resources: resources.map(({ name }) => ({
          resourceName: name,
          configEntries: [
            ...Object.entries(topics[name] ?? {}).map(([configName, configValue]) => ({
              ...{ configName, configValue },
              configSource: 1,
            })),
            { configName: "segment.bytes", configValue: "7", configSource: 5 },
          ],
        })),
      }),
    alterConfigs: ({ resources }: { resources: readonly IResourceConfig[] }) => {
      altered.push(...resources);
      for (const { name, configEntries } of resources) {
        topics[name] = Object.fromEntries(configEntries.map((one) => [one.name, one.value]));
      }
      return Promise.resolve();
    },
  };
  return { admin: admin as unknown as AlterAdmin, altered };
}

describe("existing topics", () => {
  it("are given the planned size and dating of messages, and keep what else they have", async () => {
    const { admin, altered } = brokerWith({
      old: { "cleanup.policy": "delete", "max.message.bytes": "2097152", "retention.ms": "9" },
      new: SETTINGS,
    });
    expect(await alterTopics(admin, [planned("old"), planned("new")])).toBe(1);
    expect(altered.map(({ name }) => name)).toEqual(["old"]);
    expect(altered[0]?.configEntries).toEqual([
      { name: "cleanup.policy", value: "delete" },
      { name: "max.message.bytes", value: "65536" },
      { name: "retention.ms", value: "9" },
      { name: "message.timestamp.type", value: "LogAppendTime" },
    ]);
  });

  it("are left as they are where nothing differs", async () => {
    const { admin, altered } = brokerWith({ new: SETTINGS });
    expect([await alterTopics(admin, [planned("new")]), altered]).toEqual([0, []]);
  });
});
