import { describe, expect, it } from "@jest/globals";
import { OwnLanes } from "./own-queues.ts";

describe("a sender's own lanes", () => {
  it("are those that a word came about", () => {
    const lanes = new OwnLanes();
    expect(lanes.has("a")).toBe(false);
    lanes.learn("a");
    expect([lanes.has("a"), lanes.has("b")]).toEqual([true, false]);
  });

  it("are unknown again once the partitions are shared out anew", () => {
    const lanes = new OwnLanes();
    lanes.learn("a");
    lanes.handOver("word");
    lanes.forget();
    expect([lanes.has("a"), lanes.isKnown("word")]).toEqual([false, false]);
  });

  it("know a word that was handed over, once", () => {
    const lanes = new OwnLanes();
    lanes.handOver("word");
    expect([lanes.isKnown("other"), lanes.isKnown("word"), lanes.isKnown("word")]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("stay few whatever never comes back", () => {
    const lanes = new OwnLanes();
    for (let n = 0; n <= 10_000; n += 1) {
      lanes.learn(`lane ${n}`);
      lanes.handOver(`word ${n}`);
    }
    expect([lanes.has("lane 0"), lanes.has("lane 10000")]).toEqual([false, true]);
    expect([lanes.isKnown("word 0"), lanes.isKnown("word 10000")]).toEqual([false, true]);
  });
});
