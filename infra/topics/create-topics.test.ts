import { describe, expect, it } from "@jest/globals";
import kafkajs, { type IResourceConfig } from "kafkajs";
import type { PlannedTopic } from "../../services/messages/topic-plan.ts";
import { AppError } from "../../services/platform/errors.ts";
import {
  alterTopics,
  createMissingTopics,
  differences,
  lessReplicated,
  withReplicasOf,
  type AlterAdmin,
  type TopicAdmin,
} from "./create-topics.ts";

const SETTINGS = { "cleanup.policy": "delete" };
const planned = ["a", "b"].map((name): PlannedTopic => ({
  name,
  partitions: 1,
  replication: 1,
  settings: SETTINGS,
}));

/** A protocol error as kafkajs creates it from a broker's answer. */
function refusal(type: string, retriable: boolean): Error {
  return new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, retriable }));
}

const metadataOf = (name: string) => ({
  name,
  partitions: [
    {
      partitionErrorCode: 0,
      partitionId: 0,
      leader: 1,
      replicas: [1],
      isr: [1],
    },
  ],
});

interface Faults {
  /** Errors of the next requests for metadata, one each. */
  readonly metadata?: Error[];
  /** Error of the next creation, after its effect. */
  readonly creation?: Error;
}

/** A broker that lists topics as soon as they are created. */
function fakeAdmin(topics: Map<string, typeof SETTINGS>, faults: Faults = {}) {
  const made: string[] = [];
  const admin: TopicAdmin = {
    fetchTopicMetadata: ({ topics: names } = { topics: [] }) => {
      const fault = faults.metadata?.shift();
      if (fault !== undefined) return Promise.reject(fault);
      if (names.every((name) => topics.has(name))) {
        return Promise.resolve({ topics: names.map(metadataOf) });
      }
      return Promise.reject(refusal("UNKNOWN_TOPIC_OR_PARTITION", true));
    },
    createTopics: ({ topics: requested }) => {
      for (const { topic } of requested) {
        made.push(topic);
        topics.set(topic, SETTINGS);
      }
      return faults.creation === undefined
        ? Promise.resolve(true)
        : Promise.reject(faults.creation);
    },
    describeConfigs: ({ resources }) =>
      Promise.resolve({
        throttleTime: 0,
        resources: resources.map(({ name }) => ({
          errorCode: 0,
          errorMessage: "",
          resourceType: kafkajs.ConfigResourceTypes.TOPIC,
          resourceName: name,
          configEntries: Object.entries(topics.get(name) ?? {}).map(
            ([configName, configValue]) => ({
              configName,
              configValue,
              isDefault: false,
              configSource: kafkajs.ConfigSource.TOPIC_CONFIG,
              isSensitive: false,
              readOnly: false,
              configSynonyms: [],
            }),
          ),
        })),
      }),
  };
  return { admin, made };
}

describe("createMissingTopics", () => {
  it("creates those that are missing, and none where all exist", async () => {
    const { admin, made } = fakeAdmin(new Map([["a", SETTINGS]]));
    expect(await createMissingTopics(admin, planned)).toBe(1);
    expect(await createMissingTopics(admin, planned)).toBe(0);
    expect(made).toEqual(["b"]);
  });

  it("creates none where an existing one differs", async () => {
    const { admin, made } = fakeAdmin(new Map([["a", { "cleanup.policy": "compact" }]]));
    await expect(createMissingTopics(admin, planned)).rejects.toMatchObject({
      code: "topic_mismatch",
      message: "topic a has cleanup.policy compact, not delete",
    });
    expect(made).toEqual([]);
  });

  it("waits until the broker lists what its controller has created", async () => {
    const unknown = () => refusal("UNKNOWN_TOPIC_OR_PARTITION", true);
    const leaderless = refusal("LEADER_NOT_AVAILABLE", true);
    const before = [unknown(), unknown(), unknown()];
    const after = [leaderless, unknown(), unknown(), unknown()];
    const faults = { metadata: [...before, ...after] };
    const { admin, made } = fakeAdmin(new Map(), faults);
    expect(await createMissingTopics(admin, planned)).toBe(2);
    expect(made).toEqual(["a", "b"]);
    expect(faults.metadata).toEqual([]);
  });

  it("reports a slow controller and missing brokers as transient, a refused topic as final", async () => {
    const slow = new kafkajs.KafkaJSAggregateError("Topic creation errors", [
      refusal("TOPIC_ALREADY_EXISTS", false),
      refusal("REQUEST_TIMED_OUT", true),
      refusal("INVALID_REPLICATION_FACTOR", false),
    ]);
    const replicated = planned.map((topic) => ({ ...topic, replication: 3 }));
    await expect(
      createMissingTopics(fakeAdmin(new Map(), { creation: slow }).admin, replicated),
    ).rejects.toMatchObject({
      code: "broker_unavailable",
      retryable: true,
      message: expect.stringMatching(
        /REQUEST_TIMED_OUT, INVALID_REPLICATION_FACTOR\. 3 replicas need as many brokers\.$/,
      ),
    });

    const refused = new kafkajs.KafkaJSAggregateError("Topic creation errors", [
      refusal("REQUEST_TIMED_OUT", true),
      refusal("POLICY_VIOLATION", false),
    ]);
    await expect(
      createMissingTopics(fakeAdmin(new Map(), { creation: refused }).admin, planned),
    ).rejects.toThrow("POLICY_VIOLATION");
  });

  it("reports a transient error where kafkajs cannot read the broker's answer", async () => {
    const unread = new TypeError("Cannot read properties of null (reading 'topicMetadata')");
    const { admin } = fakeAdmin(new Map(), { metadata: [unread] });
    const failed = createMissingTopics(admin, planned);
    await expect(failed).rejects.toBeInstanceOf(AppError);
    await expect(failed).rejects.toMatchObject({ code: "broker_unavailable", retryable: true });
  });
});

const events = {
  name: "porting.events",
  partitions: 6,
  replication: 1,
  settings: { "retention.ms": "-1", "cleanup.policy": "delete" },
};

describe("differences", () => {
  it("returns none where the topic is as planned", () => {
    expect(differences(events, structuredClone(events))).toEqual([]);
  });

  it("names the topic, the setting and both values", () => {
    const existing = {
      ...events,
      partitions: 3,
      settings: { "retention.ms": "604800000", "cleanup.policy": "delete" },
    };
    expect(differences(events, existing)).toEqual([
      "topic porting.events has retention.ms 604800000, not -1",
      "topic porting.events has partitions 3, not 6",
    ]);
  });
});

describe("topics from before there were several brokers", () => {
  const replicated = {
    ...events,
    replication: 3,
    settings: { ...events.settings, "min.insync.replicas": "2" },
  };
  const existing = {
    ...events,
    settings: { ...events.settings, "min.insync.replicas": "1" },
  };

  it("are as planned with the replicas that they have, and differ in anything else", () => {
    const [wanted = replicated] = withReplicasOf([existing], [replicated]);
    expect(differences(wanted, existing)).toEqual([]);
    expect(differences(wanted, { ...existing, partitions: 3 })).toEqual([
      "topic porting.events has partitions 3, not 6",
    ]);
    expect(withReplicasOf([], [replicated])).toEqual([replicated]);
  });

  it("are named where they have fewer replicas than new ones", () => {
    expect(lessReplicated([existing], [replicated])).toEqual([existing]);
    expect(lessReplicated([replicated], [replicated])).toEqual([]);
  });
});

const WANTED = {
  "cleanup.policy": "delete",
  "max.message.bytes": "65536",
  "message.timestamp.type": "LogAppendTime",
};

function topicOf(name: string): PlannedTopic {
  return { name, partitions: 1, replication: 1, settings: WANTED };
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
      new: WANTED,
    });
    expect(await alterTopics(admin, [topicOf("old"), topicOf("new")])).toBe(1);
    expect(altered.map(({ name }) => name)).toEqual(["old"]);
    expect(altered[0]?.configEntries).toEqual([
      { name: "cleanup.policy", value: "delete" },
      { name: "max.message.bytes", value: "65536" },
      { name: "retention.ms", value: "9" },
      { name: "message.timestamp.type", value: "LogAppendTime" },
    ]);
  });

  it("are left as they are where nothing differs", async () => {
    const { admin, altered } = brokerWith({ new: WANTED });
    expect([await alterTopics(admin, [topicOf("new")]), altered]).toEqual([0, []]);
  });
});
