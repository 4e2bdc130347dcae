import { describe, expect, it } from "@jest/globals";
import kafkajs, { type Kafka } from "kafkajs";
import { fetchTopicOffsets, type TopicOffsets } from "./topic-offsets.ts";

const moving = new kafkajs.KafkaJSProtocolError(
  Object.assign(new Error("moving"), { type: "NOT_LEADER_FOR_PARTITION", retriable: true }),
);
const OFFSETS: TopicOffsets = [{ partition: 0, offset: "7", high: "7", low: "2" }];

/** A Kafka of which each connection throws the next fault, then returns the offsets; counts connections. */
function kafkaWith(faults: Error[]) {
  const connections = { opened: 0, open: 0 };
  const admin = () => ({
    connect: () => {
      connections.opened += 1;
      connections.open += 1;
      return Promise.resolve();
    },
    disconnect: () => {
      connections.open -= 1;
      return Promise.resolve();
    },
    fetchTopicOffsets: () => {
      const fault = faults.shift();
      return fault === undefined ? Promise.resolve(OFFSETS) : Promise.reject(fault);
    },
  });
  return { kafka: { admin } as unknown as Kafka, connections };
}

describe("fetchTopicOffsets", () => {
  it("asks again on a new connection while a partition has no leader", async () => {
    const { kafka, connections } = kafkaWith([moving, moving]);
    expect(await fetchTopicOffsets(kafka, "porting.events")).toEqual(OFFSETS);
    expect(connections).toEqual({ opened: 3, open: 0 });
  });

  it("throws what is permanent at once", async () => {
    const forbidden = new kafkajs.KafkaJSNonRetriableError("not allowed");
    const { kafka, connections } = kafkaWith([forbidden]);
    await expect(fetchTopicOffsets(kafka, "porting.events")).rejects.toBe(forbidden);
    expect(connections).toEqual({ opened: 1, open: 0 });
  });
});
