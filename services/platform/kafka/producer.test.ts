import { describe, expect, it } from "@jest/globals";
import type { Kafka, ProducerBatch } from "kafkajs";
import { systemClock } from "../clock.ts";
import { createLogger } from "../logger.ts";
import type { OutgoingMessage } from "../outbox/outbox.ts";
import { createProducer } from "./producer.ts";

const MESSAGE: OutgoingMessage = {
  messageId: "id",
  topic: "topic",
  key: Buffer.from("key"),
  value: null,
};

class FakeProducer {
  isConnected = false;
  /** How many messages each request had. */
  readonly batches: number[] = [];
  /** Ends the current send: acknowledged, or not. */
  readonly ends: ((isAcknowledged: boolean) => void)[] = [];
  readonly isIdempotent: boolean;
  readonly #choose: (record: object) => void;

  constructor(choose: (record: object) => void, isIdempotent: boolean) {
    this.#choose = choose;
    this.isIdempotent = isIdempotent;
  }

  async connect(): Promise<void> {
    await Promise.resolve();
    this.isConnected = true;
  }

  async disconnect(): Promise<void> {
    await Promise.resolve();
    this.isConnected = false;
  }

  sendBatch({ topicMessages = [] }: ProducerBatch): Promise<object[]> {
    this.batches.push(topicMessages.flatMap(({ messages }) => messages).length);
    for (const { messages } of topicMessages) messages.forEach((one) => this.#choose(one));
    return new Promise((resolve, reject) => {
      this.ends.push((isAcknowledged) => {
        if (isAcknowledged) resolve(topicMessages.map(placeOf));
        else reject(new Error("not acknowledged"));
      });
    });
  }
}

const placeOf = ({ topic }: { readonly topic: string }) => ({
  topicName: topic,
  partition: 0,
  baseOffset: topic === "topic" ? "0" : "7",
});

const PARTITIONS = [{ partitionId: 0, leader: 1 }];

/** A client that creates such producers, and those that it has created. */
function fakeKafka() {
  const made: FakeProducer[] = [];
  const producer = ({
    createPartitioner,
    idempotent,
  }: {
    createPartitioner: () => (choice: object) => number;
    idempotent: boolean;
  }) => {
    const choose = createPartitioner();
    const one = new FakeProducer((message) => {
      choose({ topic: "topic", partitionMetadata: PARTITIONS, message });
    }, idempotent);
    made.push(one);
    return one;
  };
  return { kafka: { producer } as unknown as Kafka, made };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

describe("a producer with two concurrent sends", () => {
  const log = createLogger("test", "silent");

  it("connects once", async () => {
    const { kafka, made } = fakeKafka();
    const producer = createProducer(kafka, { clock: systemClock, log });
    const sends = [producer.send([MESSAGE]), producer.send([MESSAGE])];
    await nextTick();
    expect(made).toHaveLength(1);
    made[0]?.ends.forEach((end) => end(true));
    await Promise.all(sends);
    await producer.stop();
    expect(made[0]?.isConnected).toBe(false);
  });

  it("is replaced once if both fail, and a send with the new one continues", async () => {
    const { kafka, made } = fakeKafka();
    const producer = createProducer(kafka, { clock: systemClock, log });
    const [first, second] = [producer.send([MESSAGE]), producer.send([MESSAGE])];
    await nextTick();
    const [old] = made;
    old?.ends[0]?.(false);
    await expect(first).rejects.toMatchObject({ code: "broker_unavailable" });
    const third = producer.send([MESSAGE]);
    await nextTick();
    old?.ends[1]?.(false);
    await expect(second).rejects.toMatchObject({ code: "broker_unavailable" });
    expect(made.map(({ isConnected }) => isConnected)).toEqual([false, true]);
    made[1]?.ends[0]?.(true);
    await expect(third).resolves.toEqual([{ partition: 0, offset: 0 }]);
  });
});

describe("a producer of messages for a topic that takes small batches", () => {
  it("sends as many at once as the topic takes", async () => {
    const { kafka, made } = fakeKafka();
    const log = createLogger("test", "silent");
    const producer = createProducer(kafka, { clock: systemClock, log, batchLimit: () => 1_000 });
    const value = Buffer.alloc(200);
    const sent = producer.send(Array.from({ length: 5 }, () => ({ ...MESSAGE, value })));
    for (let n = 0; n < 3; n += 1) {
      await nextTick();
      made[0]?.ends[n]?.(true);
    }
    expect(await sent).toHaveLength(5);
    expect(made[0]?.batches).toEqual([2, 2, 1]);
  });
});

describe("a producer of messages for a topic to which others may write", () => {
  it("sends them without a producer's id, which others could take, and answers in the given order", async () => {
    const { kafka, made } = fakeKafka();
    const log = createLogger("test", "silent");
    const isForeign = (topic: string): boolean => topic === "foreign";
    const producer = createProducer(kafka, { clock: systemClock, log, isForeign });
    const foreign = { ...MESSAGE, topic: "foreign" };
    const sent = producer.send([foreign, { ...MESSAGE }, { ...foreign }]);
    for (let n = 0; n < 2; n += 1) {
      await nextTick();
      made[n]?.ends[0]?.(true);
    }
    expect((await sent).map(({ offset }) => offset)).toEqual([7, 0, 8]);
    expect(made.map(({ isIdempotent, batches }) => [isIdempotent, batches])).toEqual([
      [true, [1]],
      [false, [2]],
    ]);
  });
});
