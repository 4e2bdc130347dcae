import { describe, expect, it } from "@jest/globals";
import { differences } from "./existing-topics.ts";

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
