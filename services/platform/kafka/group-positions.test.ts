import { describe, expect, it } from "@jest/globals";
import type { Kafka } from "kafkajs";
import { fetchGroupLags } from "./group-positions.ts";

const TOPIC = "orders";
const committed = (offset: string) => [{ topic: TOPIC, partitions: [{ partition: 0, offset }] }];

/** A broker with ten messages, whose groups include one of another program's protocol. */
function fakeKafka(): Kafka {
  const admin = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    listGroups: () =>
      Promise.resolve({ groups: [{ groupId: "readers" }, { groupId: "connect-cluster" }] }),
    describeGroups: (names: readonly string[]) =>
      Promise.resolve({
        groups: names.map((groupId) => ({
          groupId,
          members: groupId === "readers" ? [] : [{ memberMetadata: Buffer.from([0, 1, 9]) }],
        })),
      }),
    fetchOffsets: () => Promise.resolve(committed("4")),
    fetchTopicOffsets: () => Promise.resolve([{ partition: 0, high: "10", low: "0" }]),
  };
  return { admin: () => admin } as unknown as Kafka;
}

describe("the lag of consumer groups", () => {
  it("is that of the wanted ones, whoever else has groups on the cluster", async () => {
    const lags = await fetchGroupLags(fakeKafka(), (group) => group === "readers");
    expect(lags).toEqual([{ group: "readers", topic: TOPIC, messages: 6, members: 0 }]);
  });

  it("are unknown for a group that is not a consumer", async () => {
    await expect(fetchGroupLags(fakeKafka(), () => true)).rejects.toThrow();
  });
});
