/** @tier all */
import { createRequire } from "node:module";
import { beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import kafkajs, { type Admin, type ITopicConfig } from "kafkajs";
import { until } from "../../../infra/start/supervisor/until.ts";
import { newId } from "../../../services/platform/ids.ts";
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
  for (let n = 0; n < rounds; n += 1) {
    await writeOutbox(stack.pool, messagesFor(topic, [n]));
    await until(async () => (await stack.rowsWhere("waits")) === waiting, {
      timeoutMs: 30_000,
      what: "the other topic's messages to be sent",
    });
  }
}

describe("a topic that Kafka refuses", () => {
  it("is not waited for where it does not exist, and gets all its rows in order once it does", async () => {
    const missing = `${topic}-missing`;
    const backlog = upTo(2_500);
    await writeOutbox(stack.pool, messagesFor(missing, backlog));
    const stop = await startRelay();
    await sendBeside(backlog.length, 20);
    await makeTopic({ topic: missing });
    await stopOnceSent(stop, 60_000);
    expect(await numbersOn(topic)).toEqual(upTo(20));
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

describe("a message that its topic never takes", () => {
  it("is set aside as a dead letter, and keeps none of its key waiting", async () => {
    const narrow = `${topic}-narrow`;
    const configEntries = [{ name: "max.message.bytes", value: "200" }];
    await makeTopic({ topic: narrow, configEntries });
    const [large] = messagesFor(narrow, [1], 1_000);
    const messages = [...messagesFor(narrow, [0]), ...(large ? [large] : [])];
    await writeOutbox(stack.pool, [...messages, ...messagesFor(narrow, [2, 3])]);
    await writeOutbox(stack.pool, messagesFor(topic, [0]));
    const stop = await startRelay();
    await stopOnceSent(stop, 20_000);
    expect(await numbersOn(narrow)).toEqual([0, 2, 3]);
    // What was in the same request may have been sent again.
    expect(new Set(await numbersOn(topic))).toEqual(new Set([0]));
    const { rows } = await stack.pool.query(
      "select consumer, topic, state, error_detail from messaging.dead_letters where message_id = $1",
      [large?.messageId],
    );
    expect(rows).toEqual([
      {
        consumer: "outbox-relay",
        topic: narrow,
        state: "parked",
        error_detail: "Kafka refuses it: MESSAGE_TOO_LARGE.",
      },
    ]);
  });
});
