import { beforeAll, describe, expect, it } from "@jest/globals";
import kafkajs, { type Kafka } from "kafkajs";
import { planTopics } from "../../services/messages/topic-plan.ts";
import {
  providerGroups,
  providerUser,
  SERVICE_USERS,
  topicRights,
  type Party,
} from "../../services/messages/bus/topic-rights.ts";
import { parseRetrySchedule } from "../../services/messages/retry-schedule.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import { readKafkaSecurity } from "../../services/platform/kafka/security-config.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { mayRead, mayWrite } from "../support/stack/kafka-attempts.ts";
import { adminVariables, variablesOf } from "../support/stack/kafka-access.ts";
import { connectAdmin } from "../support/stack/test-kafka.ts";
import { testStack } from "../support/stack/test-stack.ts";
import { createTestTopics, ONE_TIER } from "../support/stack/test-topics.ts";

const PROVIDER = "us-lsr";
const STRANGER = "stranger";
const rights = topicRights(parseRetrySchedule(ONE_TIER));
const topics = [...rights.keys()];

/** A prefix whose topics no service reads. */
let prefix: string;

function clientOf(env: Record<string, string>): Kafka {
  return createKafka({
    brokers: [testStack().kafka_brokers],
    security: readKafkaSecurity(env),
    clientId: "attack",
    log: createLogger("attack", "silent"),
    retry: { retries: 2 },
  });
}

/** The topics, without the prefix, on which the attempt succeeds. */
async function succeeding(attempt: (topic: string) => Promise<boolean>): Promise<string[]> {
  const found: string[] = [];
  for (const topic of topics) if (await attempt(prefix + topic)) found.push(topic);
  return found;
}

const allowed = (what: "read" | "write", party: Party): string[] =>
  topics.filter((topic) => rights.get(topic)?.[what].includes(party));

/** Lets a user join a group, so that only its right to the topic decides. */
async function grantGroup(user: string, group: string): Promise<void> {
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
  const admin = await connectAdmin();
  await admin.createAcls({
    acl: [
      {
        principal: `User:${user}`,
        host: "*",
        permissionType: AclPermissionTypes.ALLOW,
        operation: AclOperationTypes.READ,
        resourceType: AclResourceTypes.GROUP,
        resourceName: group,
        resourcePatternType: ResourcePatternTypes.LITERAL,
      },
    ],
  });
}

beforeAll(async () => {
  prefix = await createTestTopics();
});

describe("Kafka", () => {
  it("has rights for every topic that is created", () => {
    const options = {
      prefix: "",
      replication: 1,
      retrySchedule: ONE_TIER,
      eventsRetentionMs: null,
    };
    const planned = planTopics(options).topics.map(({ name }) => name);
    expect(topics.toSorted()).toEqual(planned.toSorted());
  });

  it("admits nobody without a login, with a wrong password or under an unknown name", async () => {
    const { KAFKA_SASL_PASSWORD: password = "", ...login } = variablesOf("outbox-relay");
    const strangers = [
      {},
      { ...login, KAFKA_SASL_PASSWORD: `${password}x` },
      { ...login, KAFKA_SASL_USERNAME: "nobody", KAFKA_SASL_PASSWORD: password },
      // The one user that PLAIN knows.
      { ...adminVariables(""), KAFKA_SASL_MECHANISM: "PLAIN", KAFKA_SASL_PASSWORD: "guess" },
      { ...login, KAFKA_SASL_MECHANISM: "PLAIN", KAFKA_SASL_PASSWORD: password },
    ];
    for (const env of strangers) {
      const admin = clientOf(env).admin();
      await expect(admin.connect().then(() => admin.listTopics())).rejects.toThrow();
      await admin.disconnect();
    }
  });

  it("lets a user without rights read and write nothing, on any topic", async () => {
    const kafka = clientOf(variablesOf(STRANGER));
    const group = `${prefix}stolen`;
    await grantGroup(STRANGER, group);
    expect(await succeeding((topic) => mayWrite(kafka, topic))).toEqual([]);
    expect(await succeeding((topic) => mayRead(kafka, { topic, group }))).toEqual([]);
    const admin = kafka.admin();
    await admin.connect();
    expect((await admin.listTopics()).filter((topic) => topic.startsWith(prefix))).toEqual([]);
    await expect(admin.createTopics({ topics: [{ topic: `${prefix}own` }] })).rejects.toThrow();
    await expect(admin.deleteTopics({ topics: [`${prefix}porting.events`] })).rejects.toThrow();
    await admin.disconnect();
  });

  it("lets a provider read requests and receipts, write what carriers publish, and nothing else", async () => {
    const kafka = clientOf(variablesOf(providerUser(PROVIDER)));
    const group = `${prefix}${providerGroups(PROVIDER)}`;
    const written = ["carriers.updates", "carriers.port-outs", "carriers.calls"];
    expect(await succeeding((topic) => mayWrite(kafka, topic))).toEqual(written);
    expect(allowed("write", "providers")).toEqual(written);
    expect(await succeeding((topic) => mayRead(kafka, { topic, group }))).toEqual([
      "carriers.requests",
      "carriers.receipts",
    ]);
  });

  it("keeps a provider out of the groups of services and other providers", async () => {
    const kafka = clientOf(variablesOf(providerUser(PROVIDER)));
    const topic = `${prefix}carriers.requests`;
    for (const group of ["sandbox-carrier", "carrier-adapter", providerGroups("gb-gateway")]) {
      expect([group, await mayRead(kafka, { topic, group: prefix + group })]).toEqual([
        group,
        false,
      ]);
    }
  });

  it.each(SERVICE_USERS)("lets %s write the topics of its own, and no other", async (user) => {
    const kafka = clientOf(variablesOf(user));
    const written = await succeeding((topic) => mayWrite(kafka, topic));
    expect(written).toEqual(allowed("write", user));
  });

  it("has one writer of each internal topic, but for two", () => {
    const others = [...rights].filter(
      ([topic, { write }]) => write.length > 1 && topic.startsWith("porting."),
    );
    // Calls become events without passing through the outbox.
    expect(others.map(([topic]) => topic)).toEqual(["porting.events"]);
  });
});
