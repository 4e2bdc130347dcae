import { beforeAll, describe, expect, it } from "@jest/globals";
import { connect, type Socket } from "node:net";
import kafkajs, { type Producer } from "kafkajs";
import { SINGLE_BROKER } from "../../infra/local-stack/kafka-properties.ts";
import { ensureQuotas } from "../../infra/topics/ensure-quotas.ts";
import { ensurePlanned } from "../../infra/topics/ensure-topics.ts";
import { providerUser } from "../../services/messages/bus/topic-rights.ts";
import { outgoing } from "../../services/messages/bus/outgoing.ts";
import { eachByOwnId, startTopicConsumer } from "../../services/messages/bus/topic-consumer.ts";
import { describeMessage } from "../../services/carrier-adapter/receipts/carrier-receipts.ts";
import { planTopics } from "../../services/messages/topic-plan.ts";
import { queryRows } from "../../services/platform/db/transaction.ts";
import { newId } from "../../services/platform/ids.ts";
import { readKafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { readTopic } from "../support/stack/topic-reader.ts";
import { buildCarrierUpdate } from "../support/carriers/carrier-update-factory.ts";
import { eventually } from "../support/eventually.ts";
import { testPlace } from "../support/product/product.ts";
import { openTestBus } from "../support/stack/test-bus.ts";
import { endAfterTests } from "../support/lifetime/end-after-tests.ts";
import { adminAccess, variablesOf } from "../support/stack/kafka-access.ts";
import { connectAdmin, testKafka } from "../support/stack/test-kafka.ts";
import { createTestDatabase, testStack, uniqueTopicPrefix } from "../support/stack/test-stack.ts";
import { createTestTopics, ONE_TIER } from "../support/stack/test-topics.ts";

const { CompressionTypes, ConfigResourceTypes } = kafkajs;
const PROVIDER = "us-lsr";
const MIB = 1024 * 1024;
const SLOWED_MS = 200;
/** Of the poison, in a request. */
const BATCH = 500;

let prefix: string;
let producer: Producer;

beforeAll(async () => {
  prefix = await createTestTopics();
  const security = readKafkaSecurity(variablesOf(providerUser(PROVIDER)));
  producer = testKafka({ security, retry: { retries: 2 } }).producer();
  endAfterTests(() => producer.disconnect());
  await producer.connect();
});

describe("a carrier that floods Kafka", () => {
  it("is slowed down to its quota", async () => {
    const place = adminAccess(testStack().kafka_brokers);
    expect(await ensureQuotas({ ...place, providers: [PROVIDER] })).toBe(
      "quotas: set for 1 providers",
    );
    const topic = `${prefix}carriers.calls`;
    const messages = [{ key: "k", value: Buffer.alloc(60_000) }];
    // The client waits for as long as the broker tells it to.
    let waitedMs = 0;
    producer.on(producer.events.REQUEST, ({ payload }) => {
      waitedMs = Math.max(waitedMs, payload.pendingDuration);
    });
    for (let bytes = 0; waitedMs < SLOWED_MS && bytes < 40 * MIB; bytes += 60_000) {
      await producer.send({ topic, messages });
    }
    expect(waitedMs).toBeGreaterThanOrEqual(SLOWED_MS);
  });

  it("unpacks little of a packed batch, however much is in it", async () => {
    const topic = `${prefix}carriers.updates`;
    const bomb = () =>
      producer.send({
        topic,
        compression: CompressionTypes.GZIP,
        messages: [{ key: "k", value: Buffer.alloc(60 * MIB) }],
      });
    const sent = await Promise.allSettled(Array.from({ length: 6 }, bomb));
    expect(sent.every(({ status }) => status === "rejected")).toBe(true);
    await producer.send({ topic, messages: [{ key: "k", value: "after it" }] });
  }, 180_000);

  it("dates its records as the broker does, whatever date it gives", async () => {
    const topic = `${prefix}carriers.port-outs`;
    const begun = Date.now() - 60_000;
    await producer.send({ topic, messages: [{ key: "k", value: "v", timestamp: "1000" }] });
    const [record] = await readTopic(testKafka(), topic);
    expect(record?.timestamp).toBeGreaterThan(begun);
  });
});

describe("a carrier that publishes poison by the thousand", () => {
  const POISON = 3_000;

  /** Publishes so many of them, then an update, and waits until that is handled; counts what was written of them. */
  async function handlePoison(value: Buffer) {
    const topicPrefix = await createTestTopics();
    const place = { ...testPlace(await createTestDatabase()), topicPrefix };
    const bus = await openTestBus(place, "carrier-adapter");
    const topic = `${topicPrefix}carriers.updates`;
    const messages = Array.from({ length: POISON }, () => ({ key: "k", value, partition: 0 }));
    for (let n = 0; n < POISON; n += BATCH) {
      await producer.send({ topic, messages: messages.slice(n, n + BATCH) });
    }
    const handled = new Promise<void>((resolve) => {
      const stopped = startTopicConsumer(bus, {
        consumer: "carrier-adapter",
        describe: describeMessage(bus),
        handlers: {
          "carriers.updates": eachByOwnId(bus, "carrier-adapter", () => {
            resolve();
            return Promise.resolve();
          }),
        },
      });
      endAfterTests(async () => (await stopped).stop());
    });
    const update = { key: "k", messageId: newId(bus.clock.now()) };
    const message = buildCarrierUpdate({ provider: PROVIDER });
    const { value: updated } = outgoing(bus, "carriers.updates", { ...update, message });
    await producer.send({ topic, messages: [{ key: "k", value: updated, partition: 0 }] });
    await handled;
    const [found] = await queryRows<Readonly<Record<string, number>>>(bus.pool, {
      text: `select count(*)::integer as letters, count(distinct kafka_offset)::integer as places,
          count(distinct xmin::text)::integer as transactions,
          (select count(distinct message_id)::integer from messaging.outbox
            where topic = $1) as receipts
        from messaging.dead_letters`,
      values: [`${topicPrefix}carriers.receipts`],
    });
    return found;
  }

  it("holds nobody for long: successive dead letters share a transaction, and each has its receipt", async () => {
    const found = await handlePoison(Buffer.alloc(64, "x"));
    expect(found).toEqual({
      ...{ letters: POISON, places: POISON, receipts: POISON },
      transactions: expect.any(Number),
    });
    expect(Number(found?.["transactions"])).toBeLessThan(POISON / 20);
  });

  it("has five hundred letters of a fetch where its records are shorter than any message, and one for the rest", async () => {
    const found = await handlePoison(Buffer.from("8 bytes!"));
    const { letters = 0, receipts } = found ?? {};
    expect(letters).toBeGreaterThan(500);
    expect(letters).toBeLessThan(POISON / 2);
    expect(receipts).toBe(letters);
  });
});

describe("a stranger who opens connections and never logs in", () => {
  const MOST = SINGLE_BROKER["max.connections.per.ip"];
  const API_VERSIONS = Buffer.from("0000000a0012000000000001ffff", "hex");

  it("is cut off beyond those of an address, and others are served", async () => {
    const [host = "", port] = testStack().kafka_brokers.split(":");
    const open = new Set<Socket>();
    endAfterTests(() => open.forEach((socket) => socket.destroy()));
    for (let n = 0; n < MOST + 50; n += 1) {
      const socket = connect({ host, port: Number(port), localAddress: "127.0.0.2" });
      open.add(socket);
      socket.on("error", () => undefined).on("close", () => open.delete(socket));
      // Its answer, or the end of the connection, shows what never reached the broker.
      socket.resume();
      socket.write(API_VERSIONS);
    }
    await eventually(() => expect(open.size).toBe(MOST));
    const admin = await connectAdmin();
    expect((await admin.describeCluster()).brokers).toHaveLength(1);
    expect(open.size).toBe(MOST);
  });
});

describe("a topic of an earlier version", () => {
  it("is given the sizes and dates of this one, and keeps what an operator has set", async () => {
    const admin = await connectAdmin();
    const options = { prefix: uniqueTopicPrefix(), replication: 1, partitions: 1 };
    const plan = planTopics({ ...options, retrySchedule: ONE_TIER, eventsRetentionMs: null });
    const topics = plan.topics.filter(({ name }) => name.endsWith("carriers.updates"));
    const [planned] = topics;
    if (planned === undefined) throw new TypeError("the topic is not planned");
    const settings = Object.entries(planned.settings);
    const others = settings.filter(([name]) => name !== "message.timestamp.type");
    const before = {
      ...Object.fromEntries(others),
      "max.message.bytes": "2097152",
      "segment.bytes": "10485760",
    };
    const configEntries = Object.entries(before).map(([name, value]) => ({ name, value }));
    await admin.createTopics({
      topics: [{ topic: planned.name, numPartitions: 1, configEntries }],
    });
    endAfterTests(() => admin.deleteTopics({ topics: [planned.name] }));
    const lines: string[] = [];
    const { kafka_brokers: brokers, schema_registry_url: url } = testStack();
    const registry = { SCHEMA_REGISTRY_URL: url };
    const log = (line: string) => lines.push(line);
    await ensurePlanned({ topics, subjects: [] }, { ...adminAccess(brokers), registry, log });
    expect(lines).toContain("topics: 1 have other limits on their messages now");
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: planned.name }],
    });
    const found = (resources[0]?.configEntries ?? []).map(({ configName, configValue }) => [
      configName,
      configValue,
    ]);
    expect(Object.fromEntries(found)).toMatchObject({
      ...planned.settings,
      "segment.bytes": "10485760",
    });
  });
});
