import { describe, expect, it } from "@jest/globals";
import { differences, lessReplicated, withReplicasOf } from "./existing-topics.ts";

const planned = {
  name: "porting.events",
  partitions: 6,
  replication: 1,
  settings: { "retention.ms": "-1", "cleanup.policy": "delete" },
};

describe("differences", () => {
  it("returns none where the topic is as planned", () => {
    expect(differences(planned, structuredClone(planned))).toEqual([]);
  });

  it("names the topic, the setting and both values", () => {
    const existing = {
      ...planned,
      partitions: 3,
      settings: { "retention.ms": "604800000", "cleanup.policy": "delete" },
    };
    expect(differences(planned, existing)).toEqual([
      "topic porting.events has retention.ms 604800000, not -1",
      "topic porting.events has partitions 3, not 6",
    ]);
  });
});

describe("topics from before there were several brokers", () => {
  const replicated = {
    ...planned,
    replication: 3,
    settings: { ...planned.settings, "min.insync.replicas": "2" },
  };
  const existing = {
    ...planned,
    settings: { ...planned.settings, "min.insync.replicas": "1" },
  };

  it("are as planned with the replicas that they have, and differ in anything else", () => {
    const [wanted = replicated] = withReplicasOf([existing], [replicated]);
    expect(differences(wanted, existing)).toEqual([]);
    expect(differences(wanted, { ...existing, partitions: 3 })).toEqual([
      "topic porting.events has partitions 3, not 6",
    ]);
    expect(withReplicasOf([], [replicated])).toEqual([replicated]);
  });

  it("are named where they have fewer replicas than new ones", () => {
    expect(lessReplicated([existing], [replicated])).toEqual([existing]);
    expect(lessReplicated([replicated], [replicated])).toEqual([]);
  });
});
