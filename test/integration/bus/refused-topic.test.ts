/** @tier all */
import { createRequire } from "node:module";
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import kafkajs, { type Admin, type ITopicConfig } from "kafkajs";
import { until } from "../../../infra/start/supervisor/until.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createOutboxHint } from "../../../services/platform/outbox/outbox-hint.ts";
import { writeOutbox } from "../../../services/platform/outbox/outbox.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { openOutboxStack, type OutboxStack } from "../../support/stack/outbox-stack.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";

let stack: OutboxStack;
let admin: Admin;
let topic: string;

beforeAll(async () => {
  stack = await openOutboxStack();
  admin = stack.kafka.admin();
  await admin.connect();
  endAfterTests(() => admin.disconnect());
});

beforeEach(async () => {
  topic = await stack.startTopic();
});

/** The client's own wait for leaders fails where the broker does not know the topic yet. */
async function makeTopic(topicConfig: ITopicConfig): Promise<void> {
  await admin.createTopics({ waitForLeaders: false, topics: [topicConfig] });
}

interface BrokerClass {
  prototype: { metadata: (this: unknown, topics?: readonly string[]) => Promise<unknown> };
}

/** The clients of this process find that a topic has no leader, as while its only broker is away; returns what ends that. */
function loseLeader(of: string): () => Promise<void> {
  const path = "kafkajs/src/broker/index.js";
  const { prototype } = createRequire(import.meta.url)(path) as BrokerClass;
  const original = prototype.metadata;
  const fault = { type: "LEADER_NOT_AVAILABLE", code: 5, retriable: true };
  prototype.metadata = function metadataWithoutLeader(topics = []) {
    if (!topics.includes(of)) return original.call(this, topics);
    const error = Object.assign(new Error("There is no leader for this partition"), fault);
    return Promise.reject(new kafkajs.KafkaJSProtocolError(error));
  };
  return endAfterTests(() => {
    prototype.metadata = original;
  });
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Messages of one key; each is its number, and as many bytes as are given beside it. */
const messagesFor = (to: string, numbers: readonly number[], bytes = 0) =>
  numbers.map((n) => ({
    messageId: newId(new Date()),
    topic: to,
    key: Buffer.from("key"),
    value: Buffer.from(`${n}${" ".repeat(bytes)}`),
  }));

/** The numbers on a topic, as often as they are there. */
async function numbersOn(name: string): Promise<number[]> {
  return (await readTopic(stack.kafka, name)).map(({ value }) => Number(value));
}

async function startRelay(): Promise<() => Promise<void>> {
  const relay = await stack.startRelay();
  return endAfterTests(() => relay.stop());
}

async function stopOnceSent(stop: () => Promise<void>, timeoutMs: number): Promise<void> {
  try {
    await stack.allSent(timeoutMs);
  } finally {
    await stop();
  }
}

/** Writes to the topic again and again while so many messages of another wait; each must be sent at once. */
async function sendBeside(waiting: number, rounds: number): Promise<void> {
  const hint = createOutboxHint(stack.pool);
  for (let n = 0; n < rounds; n += 1) {
    await writeOutbox(stack.pool, messagesFor(topic, [n]));
    hint.notify();
    await until(async () => (await stack.rowsWhere("waits")) === waiting, {
      timeoutMs: 30_000,
      what: "the other topic's messages to be sent",
    });
  }
}

describe("a topic that Kafka refuses", () => {
  it("keeps no other waiting, and gets its rows once they are taken", async () => {
    const refused = `${topic}-refused`;
    const limit = (bytes: number) => [{ name: "max.message.bytes", value: String(bytes) }];
    await makeTopic({ topic: refused, configEntries: limit(200) });
    await writeOutbox(stack.pool, messagesFor(refused, [0], 1_000));
    const stop = await startRelay();
    await sendBeside(1, 20);
    // Only the batch in which the topic was first refused may have been sent again.
    const sent = await numbersOn(topic);
    expect([...new Set(sent)]).toEqual(upTo(20));
    expect(sent.length).toBeLessThanOrEqual(22);
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: refused };
    await admin.alterConfigs({
      validateOnly: false,
      resources: [{ ...resource, configEntries: limit(100_000) }],
    });
    await stopOnceSent(stop, 40_000);
    expect(await numbersOn(refused)).toEqual([0]);
  });

  it("is not waited for where it does not exist, and gets all its rows in order once it does", async () => {
    const missing = `${topic}-missing`;
    const backlog = upTo(2_500);
    await writeOutbox(stack.pool, messagesFor(missing, backlog));
    const stop = await startRelay();
    await sendBeside(backlog.length, 60);
    await makeTopic({ topic: missing });
    await stopOnceSent(stop, 60_000);
    expect(await numbersOn(topic)).toEqual(upTo(60));
    expect(await numbersOn(missing)).toEqual(backlog);
  });

  it("holds no other for long where it has no leader, and gets its rows in order once it has one", async () => {
    const leaderless = `${topic}-leaderless`;
    await makeTopic({ topic: leaderless });
    const findLeader = loseLeader(leaderless);
    await writeOutbox(stack.pool, messagesFor(leaderless, upTo(3)));
    const stop = await startRelay();
    await sendBeside(3, 20);
    await findLeader();
    await stopOnceSent(stop, 60_000);
    expect(await numbersOn(topic)).toEqual(upTo(20));
    expect(await numbersOn(leaderless)).toEqual(upTo(3));
  });
});
