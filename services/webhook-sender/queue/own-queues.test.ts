import { describe, expect, it } from "@jest/globals";
import { OwnQueues } from "./own-queues.ts";

describe("a sender's own queues", () => {
  it("are those that a word came about", () => {
    const queues = new OwnQueues();
    expect(queues.has("a")).toBe(false);
    queues.learn("a");
    expect([queues.has("a"), queues.has("b")]).toEqual([true, false]);
  });

  it("are unknown again once the partitions are shared out anew", () => {
    const queues = new OwnQueues();
    queues.learn("a");
    queues.handOver("word");
    queues.forget();
    expect([queues.has("a"), queues.isKnown("word")]).toEqual([false, false]);
  });

  it("know a word that was handed over, once", () => {
    const queues = new OwnQueues();
    queues.handOver("word");
    expect([queues.isKnown("other"), queues.isKnown("word"), queues.isKnown("word")]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("stay few whatever never comes back", () => {
    const queues = new OwnQueues();
    for (let n = 0; n <= 10_000; n += 1) {
      queues.learn(`queue ${n}`);
      queues.handOver(`word ${n}`);
    }
    expect([queues.has("queue 0"), queues.has("queue 10000")]).toEqual([false, true]);
    expect([queues.isKnown("word 0"), queues.isKnown("word 10000")]).toEqual([false, true]);
  });
});
