import { describe, expect, it } from "@jest/globals";
import type { Kafka, ProducerBatch } from "kafkajs";
import fc from "fast-check";
import { z } from "zod";
import { createRequire } from "node:module";
import { cpuMsOf } from "../../../test/support/cpu-ms.ts";
import { recordSpans } from "../../../test/support/tracing/recorded-spans.ts";
import { systemClock } from "../clock.ts";
import { createLogger } from "../logger.ts";
import type { OutgoingMessage } from "../outbox/outbox.ts";
import { MURMUR2_VECTORS } from "../../../test/support/kafka/partitioner-vectors.ts";
import { createPartitioner, createProducer, murmur2, partitionOf, traceSends } from "./producer.ts";

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

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

function messageOf(messageId: string, headers: Record<string, string>): OutgoingMessage {
  const key = Buffer.from("+491511234567");
  return { messageId, topic: "things", key, value: Buffer.from("Ada"), headers };
}

const SAMPLED = messageOf("m1", { traceparent: `00-${TRACE}-${SPAN}-01`, provider: "Ada" });
const NOT_SAMPLED = messageOf("m2", { traceparent: `00-${TRACE}-${SPAN}-00` });
const UNTRACED = messageOf("m3", {});

describe("the spans of sent messages", () => {
  it("continue sampled traces, and whoever handles the message continues from its send", async () => {
    const { tracing, spans } = recordSpans();
    const traced = traceSends(tracing, [SAMPLED, NOT_SAMPLED, UNTRACED]);
    traced.sent([1, 2, 3].map((offset) => ({ partition: 5, offset })));
    const recorded = await spans();
    const [span] = recorded;
    expect(recorded).toEqual([
      {
        name: "send things",
        kind: "producer",
        traceId: TRACE,
        parentSpanId: SPAN,
        linkedTraceIds: [],
        traceparent: span?.traceparent,
        attributes: {
          "messaging.system": "kafka",
          "messaging.operation.name": "send",
          "messaging.operation.type": "send",
          "messaging.destination.name": "things",
          "messaging.destination.partition.id": "5",
          "messaging.kafka.offset": 1,
          "messaging.message.id": "m1",
        },
        failed: false,
      },
    ]);
    const headers = { traceparent: span?.traceparent, provider: "Ada" };
    expect(traced.messages).toEqual([{ ...SAMPLED, headers }, NOT_SAMPLED, UNTRACED]);
    expect(JSON.stringify(recorded)).not.toMatch(/1511234567|Ada/);
  });

  it("are those of the send that succeeded alone", async () => {
    const { tracing, spans } = recordSpans();
    traceSends(tracing, [SAMPLED]);
    const again = traceSends(tracing, [SAMPLED]);
    again.sent([{ partition: 5, offset: 1 }]);
    const sent = again.messages[0]?.headers?.["traceparent"];
    expect((await spans()).map(({ traceparent }) => traceparent)).toEqual([sent]);
  });
});

const hashFunction = z.custom<(key: Buffer) => number>((value) => typeof value === "function");
const path = "kafkajs/src/producer/partitioners/default/murmur2.js";
const ofKafkajs = hashFunction.parse(createRequire(import.meta.url)(path));

const SIX_PARTITIONS = [0, 1, 2, 3, 4, 5].map((partitionId) => ({
  partitionId,
  leader: 1,
  partitionErrorCode: 0,
  replicas: [],
  isr: [],
}));

describe("the hash of a key", () => {
  it.each(MURMUR2_VECTORS)("of %j is that of Java's client", (hex, hash) => {
    expect(murmur2(Buffer.from(hex, "hex"))).toBe(hash);
  });

  it("is that of kafkajs", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(murmur2(Buffer.from(bytes))).toBe(ofKafkajs(Buffer.from(bytes)));
      }),
    );
  });

  it("takes no time for a key of any length", async () => {
    const key = Buffer.from(Uint8Array.from({ length: 400_000 }, (_, n) => n));
    const cpuMs = await cpuMsOf(() => expect(murmur2(key)).toBe(-37_164_002));
    expect(cpuMs).toBeLessThan(500);
  });
});

describe("the partition of a message", () => {
  const choose = createPartitioner();
  const choice = { topic: "things", partitionMetadata: SIX_PARTITIONS };

  it("is chosen by its key, bytes or text", () => {
    const key = "018f6d2a-3c4b-7d5e-8f60-718293a4b5c6";
    const chosen = partitionOf(Buffer.from(key), 6);
    expect(choose({ ...choice, message: { key, value: null } })).toBe(chosen);
    expect(choose({ ...choice, message: { key: Buffer.from(key), value: null } })).toBe(chosen);
  });

  it("takes turns without a key, and is the one that is given", () => {
    const turns = SIX_PARTITIONS.map(() =>
      choose({ ...choice, message: { key: null, value: null } }),
    );
    expect(turns.sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(choose({ ...choice, message: { key: "a", value: null, partition: 4 } })).toBe(4);
  });
});
