import { describe, expect, it } from "@jest/globals";
import { EndpointQueue } from "./endpoint-queue.ts";
import { PRIORITIES, type Priority } from "./priority.ts";

const { first, retry, recovery } = PRIORITIES;
const MANY = Array.from({ length: 100 }, (_, n) => String(n));

function queueWith(...priorities: Priority[]): EndpointQueue {
  const queue = new EndpointQueue("k");
  queue.facts = { accountId: "a", host: "h" };
  for (const priority of priorities) queue.line(priority).offer(MANY);
  return queue;
}

/** The priorities of the next starts, each of which ends at once. */
function starts(
  queue: EndpointQueue,
  count: number,
  lowest: Priority = recovery,
): (Priority | undefined)[] {
  return Array.from({ length: count }, () => {
    const taken = queue.take(lowest);
    if (taken === null) return undefined;
    queue.window.cancel();
    queue.ended(taken.priority);
    return taken.priority;
  });
}

describe("an endpoint queue", () => {
  it("starts a single attempt while its facts are unknown", () => {
    const queue = new EndpointQueue("k");
    queue.line(first).offer(["a", "b"]);
    expect(queue.room).toBe(1);
    queue.take(first);
    expect(queue.room).toBe(0);
    queue.facts = { accountId: "a", host: "h" };
    expect(queue.room).toBe(7);
  });

  it("reserves a quarter of its starts for retries and recovery", () => {
    expect(starts(queueWith(first, retry), 8)).toEqual([0, 0, 0, 1, 0, 0, 0, 1]);
    expect(starts(queueWith(first, recovery), 4)).toEqual([0, 0, 0, 2]);
    const all = starts(queueWith(first, retry, recovery), 32);
    expect([0, 1, 2].map((one) => all.filter((priority) => priority === one).length)).toEqual([
      24, 6, 2,
    ]);
  });

  it("gives its whole window to the only priority that waits", () => {
    expect(starts(queueWith(retry), 5)).toEqual([1, 1, 1, 1, 1]);
    expect(starts(queueWith(first), 5)).toEqual([0, 0, 0, 0, 0]);
  });

  it("keeps a quarter of its window free of recovery, and starts none unless the caller allows it", () => {
    const queue = queueWith(recovery);
    expect(queue.take(retry)).toBeNull();
    for (let n = 0; n < 6; n += 1) expect(queue.take(recovery)?.id).toBe(String(n));
    expect(queue.take(recovery)).toBeNull();
    expect(queue.canWork).toBe(false);
    queue.line(first).offer(["urgent"]);
    expect(queue.take(recovery)).toEqual({ id: "urgent", priority: first });
    queue.window.cancel();
    queue.ended(recovery);
    expect(queue.take(recovery)).toEqual({ id: "6", priority: recovery });
  });

  it("fetches only lines that run short", () => {
    const queue = queueWith(first);
    queue.line(retry).wake();
    expect(queue.linesToFetch).toEqual([retry]);
    queue.line(retry).beginFetch();
    expect(queue.linesToFetch).toEqual([]);
    expect(queue.isIdle).toBe(false);
  });
});
