import { beforeAll, describe, expect, it } from "@jest/globals";
import kafkajs, { type Kafka } from "kafkajs";
import { sendRules } from "../../services/messages/bus/outgoing.ts";
import { planTopics } from "../../services/messages/topic-plan.ts";
import {
  providerGroup,
  providerUser,
  SERVICE_USERS,
  topicRights,
  type Party,
} from "../../services/messages/bus/topic-rights.ts";
import { parseRetrySchedule } from "../../services/messages/retry-schedule.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import { createProducer, type SentTo } from "../../services/platform/kafka/producer.ts";
import { readKafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { eventually } from "../support/eventually.ts";
import { endAfterTests } from "../support/lifetime/end-after-tests.ts";
import { mayRead, mayWrite } from "../support/stack/kafka-attempts.ts";
import { adminVariables, variablesOf } from "../support/stack/kafka-access.ts";
import { GROUP_PROTOCOLS, openRawBroker } from "../support/stack/raw-broker.ts";
import { connectAdmin, testKafka } from "../support/stack/test-kafka.ts";
import { testStack } from "../support/stack/test-stack.ts";
import { readTopic } from "../support/stack/topic-reader.ts";
import { createTestTopics, grantTestRights, ONE_TIER } from "../support/stack/test-topics.ts";

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
async function grantGroup(
  user: string,
  group: string,
  pattern: "literal" | "prefixed" = "literal",
): Promise<void> {
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
        resourcePatternType:
          pattern === "literal" ? ResourcePatternTypes.LITERAL : ResourcePatternTypes.PREFIXED,
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
    const group = `${prefix}${providerGroup(PROVIDER)}`;
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
    for (const group of ["sandbox-carrier", "carrier-adapter", providerGroup("gb-gateway")]) {
      expect([group, await mayRead(kafka, { topic, group: prefix + group })]).toEqual([
        group,
        false,
      ]);
    }
  });

  // Each name that an offset was committed for stays with the broker for a week: one login filled its memory with them.
  it("keeps a provider to the few groups of its own, which an earlier version did not", async () => {
    const kafka = clientOf(variablesOf(providerUser(PROVIDER)));
    const topic = `${prefix}carriers.requests`;
    const usual = `${prefix}${providerGroup(PROVIDER)}`;
    const admitted = () =>
      Promise.all(["-1", "-5"].map((ending) => mayRead(kafka, { topic, group: usual + ending })));
    expect(await admitted()).toEqual([true, false]);
    await grantGroup(providerUser(PROVIDER), usual, "prefixed");
    await eventually(async () =>
      expect(await mayRead(kafka, { topic, group: `${usual}-6` })).toBe(true),
    );
    await grantTestRights(prefix);
    expect(await admitted()).toEqual([true, false]);
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

describe("a carrier's login with a group of its own", () => {
  const UNSUPPORTED_VERSION = 35;

  // An expression for its topics' names, of twenty characters, had taken all of the broker's memory.
  it.each(GROUP_PROTOCOLS)("joins none by the %s protocol", async (protocol) => {
    const kafka = clientOf(variablesOf(providerUser(PROVIDER)));
    const group = `${prefix}${providerGroup(PROVIDER)}`;
    const carrier = await openRawBroker(kafka);
    expect(await carrier.join(protocol, group)).toBe(UNSUPPORTED_VERSION);
    expect(await mayRead(kafka, { topic: `${prefix}carriers.requests`, group })).toBe(true);
  });
});

describe("a carrier's login that speaks as a producer of ours", () => {
  const openCarrier = () => openRawBroker(clientOf(variablesOf(providerUser(PROVIDER))));

  // What a broker learns by the id's next epoch or sequence had stopped the outbox, or taken records for repeats.
  it.each([
    { claim: "as its successor", producerEpoch: 1, firstSequence: 0 },
    { claim: "with its next record", producerEpoch: 0, firstSequence: 1 },
  ])("$claim is refused on our topics, and takes nothing of ours on its own", async (claimed) => {
    const { claim: value, ...claim } = claimed;
    const carrier = await openCarrier();
    const before = await carrier.newProducerId();
    const relay = createProducer(clientOf(variablesOf("outbox-relay")), {
      clock: systemClock,
      log: createLogger("attack", "silent"),
      ...sendRules(prefix),
    });
    endAfterTests(() => relay.stop());
    const send = (text: string): Promise<SentTo[]> =>
      relay.send(
        ["carriers.requests", "carriers.updates"].map((topic) => ({
          messageId: crypto.randomUUID(),
          topic: prefix + topic,
          key: Buffer.from("k"),
          value: Buffer.from(text),
        })),
      );
    const [request, update] = await send(`before ${value}`);
    const after = await carrier.newProducerId();
    expect(after - before).toBeGreaterThan(1);
    for (let producerId = before + 1; producerId < after; producerId += 1) {
      const batch = { ...claim, producerId, value };
      const onRequests = {
        topic: `${prefix}carriers.requests`,
        partition: request?.partition ?? 0,
      };
      const onUpdates = { topic: `${prefix}carriers.updates`, partition: update?.partition ?? 0 };
      await expect(carrier.produce({ ...batch, ...onRequests })).rejects.toMatchObject({
        type: "TOPIC_AUTHORIZATION_FAILED",
      });
      // The broker may take it or not: it is the carrier's own topic.
      await carrier.produce({ ...batch, ...onUpdates }).catch(() => undefined);
    }
    await send(`after ${value}`);
    for (const topic of ["carriers.requests", "carriers.updates"]) {
      const records = await readTopic(testKafka(), prefix + topic);
      const texts = records.map((record) => String(record.value));
      expect(texts).toEqual(expect.arrayContaining([`before ${value}`, `after ${value}`]));
    }
  });

  it("may begin no transaction, under whatever name", async () => {
    const carrier = await openCarrier();
    for (const name of ["outbox-relay", `${prefix}outbox-relay`, `${prefix}${PROVIDER}`]) {
      await expect(carrier.beginTransactions(name)).rejects.toMatchObject({
        type: "TRANSACTIONAL_ID_AUTHORIZATION_FAILED",
      });
    }
  });
});
