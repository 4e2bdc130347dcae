import { describe, expect, it } from "@jest/globals";
import kafkajs from "kafkajs";
import { AppError } from "../../platform/errors.ts";
import { NoBrokers } from "../../platform/kafka/broker-list.ts";
import { isTopicFault, RefusedTopics } from "./refused-topics.ts";

const protocolFault = (type: string) =>
  new kafkajs.KafkaJSProtocolError(Object.assign(new Error(type), { type, code: 0 }));

const failedSend = (cause: Error) =>
  new AppError("broker_unavailable", "Kafka did not accept a batch.", { retryable: true, cause });

const UNKNOWN = failedSend(protocolFault("UNKNOWN_TOPIC_OR_PARTITION"));

const rows = (...topics: string[]) => topics.map((topic, id) => ({ id, topic }));
const namesIn = (parts: readonly (readonly { topic: string }[])[]) =>
  parts.map((part) => part.map(({ topic }) => topic));

describe("isTopicFault", () => {
  it.each([
    "TOPIC_AUTHORIZATION_FAILED",
    "UNKNOWN_TOPIC_OR_PARTITION",
    "LEADER_NOT_AVAILABLE",
    "MESSAGE_TOO_LARGE",
  ])("is true for %s, however deep", (type) => {
    const deep = new Error("Retries exceeded", { cause: protocolFault(type) });
    expect([isTopicFault(failedSend(protocolFault(type))), isTopicFault(deep)]).toEqual([
      true,
      true,
    ]);
  });

  it("is false for what every topic shares", () => {
    const noBrokers = new Error("Retries exceeded", { cause: new NoBrokers() });
    const notReached = new Error("connect ECONNREFUSED");
    const all = [protocolFault("NOT_ENOUGH_REPLICAS"), noBrokers, notReached, "text"];
    expect(all.map(isTopicFault)).toEqual([false, false, false, false]);
  });
});

describe("RefusedTopics", () => {
  it("leaves a batch whole while nothing was refused", () => {
    expect(namesIn(new RefusedTopics().apart(rows("a", "b", "a")))).toEqual([["a", "b", "a"]]);
  });

  it("sends refused topics after the others, each by itself, until they are accepted", () => {
    const refused = new RefusedTopics();
    refused.refuse("b", UNKNOWN, 0);
    refused.refuse("c", UNKNOWN, 0);
    const batch = rows("b", "a", "c", "b", "d");
    expect(namesIn(refused.apart(batch))).toEqual([["a", "d"], ["b", "b"], ["c"]]);
    refused.accept(rows("b"));
    expect(namesIn(refused.apart(batch))).toEqual([["b", "a", "b", "d"], ["c"]]);
  });

  it("holds a topic for 2 s, then twice as long each time, up to 30 s", () => {
    const refused = new RefusedTopics();
    const holds = [1, 2, 3, 4, 5, 6].map(() => refused.refuse("b", UNKNOWN, 0));
    expect(holds).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect([refused.held(29_999), refused.held(30_000)]).toEqual([["b"], []]);
  });

  it("holds one that lacks a leader for 4 s at most", () => {
    const refused = new RefusedTopics();
    const leaderless = failedSend(protocolFault("LEADER_NOT_AVAILABLE"));
    expect([1, 2, 3].map(() => refused.refuse("b", leaderless, 0))).toEqual([2_000, 4_000, 4_000]);
  });
});
