import { describe, expect, it } from "@jest/globals";
import kafkajs from "kafkajs";
import { createLogger } from "../../platform/logger.ts";
import type { OutgoingMessage } from "../../platform/outbox/outbox.ts";
import { DeferredTopics, REFUSED_PAUSE_MS } from "./deferred-topics.ts";
import type { OutboxMessage } from "./outbox-message.ts";
import { Sender } from "./sender.ts";

const message = (id: number, topic: string): OutboxMessage => ({
  id,
  day: "2031-05-01",
  createdAt: new Date(0),
  messageId: String(id),
  topic,
  key: null,
  value: null,
  sealedKeyId: null,
});

function fault(type: string): Error {
  const cause = new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 0 }));
  return new Error("Kafka did not accept a batch.", { cause });
}

/** A sender to a Kafka that refuses as given, and what became of each message. */
function setUp(refusal: (messages: readonly OutgoingMessage[]) => Error | null) {
  const sent: string[] = [];
  const refused: string[] = [];
  const impossible: string[] = [];
  const requests: string[] = [];
  const producer = (name: string) => ({
    send: (messages: readonly OutgoingMessage[]) => {
      requests.push(`${name} ${messages.map(({ messageId }) => messageId).join()}`);
      const error = refusal(messages);
      if (error !== null) return Promise.reject(error);
      return Promise.resolve(messages.map(() => ({ partition: 0, offset: 0 })));
    },
    stop: () => Promise.resolve(),
  });
  const sender = new Sender({
    producer: producer("usual"),
    trialProducer: producer("trial"),
    seal: {
      seal: (value) => ({ value, sealedKeyId: null }),
      open: ({ value, sealedKeyId }) => {
        if (sealedKeyId !== null) throw new Error("no such key");
        return value;
      },
    },
    log: createLogger("test", "silent"),
    mayStillSend: () => undefined,
    rest: () => Promise.resolve(),
    onSent: (places) => sent.push(...places.map((place) => place.message.messageId)),
    onRefused: ({ messages }) => {
      refused.push(...messages.map(({ messageId }) => messageId));
      return Promise.resolve();
    },
    onImpossible: ({ messageId }) => {
      impossible.push(messageId);
      return Promise.resolve();
    },
  });
  return { sender, sent, refused, impossible, requests };
}

const BATCH = [message(1, "a"), message(2, "b"), message(3, "a"), message(4, "c")];

describe("a batch of several topics", () => {
  it("is sent as it is", async () => {
    const { sender, sent, requests } = setUp(() => null);
    await sender.send(BATCH);
    expect([sent, requests]).toEqual([["1", "2", "3", "4"], ["usual 1,2,3,4"]]);
  });

  it("is sent by topic where one is refused, which alone is left", async () => {
    const { sender, sent, refused, requests } = setUp((messages) =>
      messages.some(({ topic }) => topic === "a") ? fault("UNKNOWN_TOPIC_OR_PARTITION") : null,
    );
    await sender.send(BATCH);
    expect([sent, refused]).toEqual([
      ["2", "4"],
      ["1", "3"],
    ]);
    expect(requests).toEqual(["usual 1,2,3,4", "trial 1,3", "trial 2", "trial 4"]);
  });

  it("is sent in halves where one message is too large, which alone is set aside", async () => {
    const { sender, sent, impossible } = setUp((messages) =>
      messages.some(({ messageId }) => messageId === "3") ? fault("MESSAGE_TOO_LARGE") : null,
    );
    await sender.send(BATCH);
    expect([sent, impossible]).toEqual([["1", "2", "4"], ["3"]]);
  });

  it("leaves the rest of a topic that is refused after some of its halves", async () => {
    let requests = 0;
    const { sender, sent, refused } = setUp((messages) => {
      requests += 1;
      if (messages.length > 1) return fault("MESSAGE_TOO_LARGE");
      return requests > 3 ? fault("TOPIC_AUTHORIZATION_FAILED") : null;
    });
    await sender.send([1, 2, 3, 4].map((id) => message(id, "a")));
    expect([sent, refused]).toEqual([["1"], ["2", "3", "4"]]);
  });

  it("leaves a topic of which a value cannot be opened, as its key may come", async () => {
    const sealed = { ...message(5, "secret"), value: Buffer.from("x"), sealedKeyId: "lost" };
    const { sender, sent, refused } = setUp(() => null);
    await sender.send([...BATCH, sealed]);
    expect([sent, refused]).toEqual([["1", "3", "2", "4"], ["5"]]);
  });

  it("is sent again as it is while Kafka is away", async () => {
    let left = 3;
    const { sender, sent, requests } = setUp(() => ((left -= 1) > 0 ? new Error("away") : null));
    await sender.send(BATCH);
    expect([sent.length, requests.length]).toEqual([4, 3]);
  });
});

describe("a deferred topic", () => {
  const note = { topic: "a", fromId: 7, waiting: 0, revision: 1 };

  it("is due at once after a start, and then after a pause", () => {
    const topics = new DeferredTopics();
    topics.load([note]);
    expect(topics.due(0)).toEqual(note);
    topics.pause("a", REFUSED_PAUSE_MS);
    expect([topics.due(4_999), topics.due(5_000), topics.waitMs(4_000)]).toEqual([
      null,
      note,
      1_000,
    ]);
  });

  it("has its note lowered for an earlier message alone", () => {
    const topics = new DeferredTopics();
    topics.load([note]);
    expect(topics.add([message(9, "a"), message(8, "a")])).toEqual(new Map());
    expect(topics.add([message(6, "a"), message(3, "b")])).toEqual(
      new Map([
        ["a", 6],
        ["b", 3],
      ]),
    );
    expect(topics.waiting()).toEqual(new Map([["a", 3]]));
  });
});
