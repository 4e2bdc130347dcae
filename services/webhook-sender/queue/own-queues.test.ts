import { describe, expect, it } from "@jest/globals";
import { OwnQueues } from "./own-queues.ts";

describe("a sender's own queues", () => {
  it("are those that a message arrived for", () => {
    const queues = new OwnQueues();
    expect(queues.has("a")).toBe(false);
    queues.learn("a");
    expect([queues.has("a"), queues.has("b")]).toEqual([true, false]);
  });

  it("are unknown again after a rebalance", () => {
    const queues = new OwnQueues();
    queues.learn("a");
    queues.handOver("message");
    queues.forget();
    expect([queues.has("a"), queues.isKnown("message")]).toEqual([false, false]);
  });

  it("recognize a message that was handed over, once", () => {
    const queues = new OwnQueues();
    queues.handOver("message");
    expect([queues.isKnown("other"), queues.isKnown("message"), queues.isKnown("message")]).toEqual(
      [false, true, false],
    );
  });

  it("stay bounded if messages never come back", () => {
    const queues = new OwnQueues();
    for (let n = 0; n <= 10_000; n += 1) {
      queues.learn(`queue ${n}`);
      queues.handOver(`message ${n}`);
    }
    expect([queues.has("queue 0"), queues.has("queue 10000")]).toEqual([false, true]);
    expect([queues.isKnown("message 0"), queues.isKnown("message 10000")]).toEqual([false, true]);
  });
});
