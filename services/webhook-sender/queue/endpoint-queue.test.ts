import { describe, expect, it } from "@jest/globals";
import {
  Backlog,
  EndpointQueue,
  AttemptWindow,
  PRIORITIES,
  type Priority,
  Pace,
} from "./endpoint-queue.ts";

const { first, retry, recovery } = PRIORITIES;
const MANY = Array.from({ length: 100 }, (_, n) => String(n));

function add(queue: EndpointQueue, priority: Priority, ids: readonly string[]): void {
  queue.line(priority).beginFetch();
  queue.line(priority).endFetch(ids, true);
}

function queueWith(...priorities: Priority[]): EndpointQueue {
  const queue = new EndpointQueue("k");
  queue.facts = { accountId: "a", host: "h" };
  for (const priority of priorities) add(queue, priority, MANY);
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
    add(queue, first, ["a", "b"]);
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
    add(queue, first, ["urgent"]);
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

function drain(backlog: Backlog): string[] {
  const taken: string[] = [];
  for (let id = backlog.take(); id !== null; id = backlog.take()) taken.push(id);
  return taken;
}

function fetched(ids: readonly string[], isAll: boolean): Backlog {
  const backlog = new Backlog();
  backlog.wake();
  backlog.beginFetch();
  backlog.endFetch(ids, isAll);
  return backlog;
}

describe("a backlog", () => {
  it("returns what was fetched in order", () => {
    const backlog = fetched(["a", "b"], true);
    expect(drain(backlog)).toEqual(["a", "b"]);
    expect(backlog.isEmpty).toBe(true);
  });

  it("leaves in Postgres what comes while others wait, and fetches it after them", () => {
    const backlog = fetched(["a"], true);
    backlog.wake();
    expect([backlog.queued, backlog.wantsFetch]).toEqual([1, false]);
    drain(backlog);
    expect(backlog.wantsFetch).toBe(true);
  });

  it("fetches once more if something came during a fetch", () => {
    const backlog = new Backlog();
    backlog.wake();
    backlog.beginFetch();
    backlog.wake();
    expect(backlog.wantsFetch).toBe(false);
    backlog.endFetch([], true);
    expect(backlog.wantsFetch).toBe(true);
  });

  it("keeps fetching while Postgres holds more", () => {
    const backlog = fetched(["a"], false);
    drain(backlog);
    expect(backlog.wantsFetch).toBe(true);
  });
});

function fill(window: AttemptWindow): void {
  while (window.room > 0) window.start();
}

/** To its most. */
function grow(window: AttemptWindow): void {
  while (window.size < 64) {
    fill(window);
    window.end(false, 0);
  }
}

describe("an endpoint's window", () => {
  it("starts at 8 and allows no more attempts than its size", () => {
    const window = new AttemptWindow();
    fill(window);
    expect(window.inFlight).toBe(8);
    expect(window.room).toBe(0);
  });

  it("is topped up when half of it is free", () => {
    const window = new AttemptWindow();
    fill(window);
    for (let n = 0; n < 3; n += 1) window.cancel();
    expect(window.room).toBe(0);
    window.cancel();
    expect(window.room).toBe(4);
  });

  it("grows to 64 while all of it is used", () => {
    const window = new AttemptWindow();
    for (let n = 0; n < 200; n += 1) {
      fill(window);
      window.end(false, n);
    }
    expect(window.size).toBe(64);
  });

  it("does not grow while little of it is used", () => {
    const window = new AttemptWindow();
    for (let n = 0; n < 200; n += 1) {
      window.start();
      window.end(false, n);
    }
    expect(window.size).toBe(8);
  });

  it("shrinks to what it began with while nothing is sent", () => {
    let now = 0;
    const window = new AttemptWindow(() => now);
    grow(window);
    while (window.inFlight > 0) window.end(false, now);
    const rooms = [500, 1_500, 2_500, 60_000].map((at) => {
      now = at;
      return window.room;
    });
    expect(rooms).toEqual([64, 32, 16, 8]);
    fill(window);
    expect([window.inFlight, window.size]).toEqual([8, 8]);
  });

  it("allows half as many attempts with each second without an answer, until one comes", () => {
    let now = 0;
    const window = new AttemptWindow(() => now);
    grow(window);
    while (window.inFlight > 2) window.end(false, now);
    const rooms = [900, 1_000, 2_000, 4_000, 9_000].map((at) => {
      now = at;
      return window.room;
    });
    expect(rooms).toEqual([62, 30, 14, 2, 0]);
    window.end(false, now);
    expect(window.room).toBe(63);
  });

  it("is halved once by the timeouts of one round, down to 1", () => {
    let at = 0;
    const window = new AttemptWindow(() => at);
    const sizes: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const startedMs = at;
      fill(window);
      at += 15_000;
      for (let left = window.inFlight; left > 0; left -= 1) window.end(true, startedMs);
      sizes.push(window.size);
    }
    expect(sizes).toEqual([4, 2, 1, 1, 1]);
    expect(window.room).toBe(1);
  });
});

describe("a pace", () => {
  it("does not limit an endpoint without a rate", () => {
    expect(new Pace().room(0)).toBe(Infinity);
  });

  it("counts the start that revealed the rate, and spaces the following starts", () => {
    const pace = new Pace();
    pace.setRate(20);
    expect(pace.room(0)).toBe(0);
    expect(pace.waitMs(0)).toBeNull();
    const starts = pace.reservation(100);
    expect(starts).toEqual({ count: 3, stepMs: 52.5 });
    pace.grant(starts, 10);
    expect(pace.waitMs(0)).toBe(62.5);
    expect([pace.room(62), pace.room(63)]).toEqual([0, 1]);
    pace.take(63);
    expect(pace.room(64)).toBe(0);
    expect(pace.waitMs(64)).toBe(51);
    expect(pace.reservation(1).count).toBe(1);
  });

  it("moves the slots after a late start, including those reserved later", () => {
    const pace = new Pace();
    pace.setRate(20);
    pace.grant(pace.reservation(3), -52.5);
    expect(pace.room(45)).toBe(1);
    pace.take(45); // due at 0
    expect(pace.waitMs(45)).toBe(52.5 + 25 - 45);
    pace.take(77.5);
    pace.grant({ count: 1, stepMs: 52.5 }, 80);
    expect(pace.waitMs(77.5)).toBe(52.5);
  });

  it("drops slots that were not used in time", () => {
    const pace = new Pace();
    pace.setRate(1_000);
    pace.grant(pace.reservation(1_000), 0);
    expect(pace.room(50)).toBeLessThanOrEqual(20);
    expect(pace.room(10_000)).toBe(0);
    expect(pace.waitMs(10_000)).toBeNull();
  });

  it("forgets its slots when the rate changes", () => {
    const pace = new Pace();
    pace.setRate(1_000);
    pace.grant(pace.reservation(1), 0);
    pace.setRate(1);
    expect(pace.room(5)).toBe(0);
    pace.setRate(null);
    expect(pace.room(5)).toBe(Infinity);
  });
});
