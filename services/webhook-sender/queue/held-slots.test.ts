import { describe, expect, it } from "@jest/globals";
import {
  claimOf,
  first,
  ids,
  setUpScheduler,
  settle,
} from "../../../test/support/webhooks/test-scheduler.ts";

const coming = (count: number, account = "k") => ({
  events: new Map([[account, count]]),
  isOwn: () => true,
});

/** A scheduler that has made one attempt of each queue, by which it knows their accounts and hosts. */
async function setUpKnown(queues: readonly string[], over: { perHost?: number } = {}) {
  const setUp = setUpScheduler({ concurrency: 100, ...over });
  for (const key of queues) setUp.scheduler.offer(first(key), [`${key}-known`]);
  await settle();
  await setUp.end(...queues.map((key) => `${key}-known`));
  return setUp;
}

const created = (endpoint_key: string, names: readonly string[]) =>
  names.map((id) => ({ ...claimOf(id), endpoint_key }));

describe("slots for deliveries that are about to be created", () => {
  it("are as many as there are events and the window has room for", async () => {
    const { scheduler } = await setUpKnown(["k"]);
    const few = scheduler.hold(coming(3));
    expect([few.rooms, scheduler.inFlight]).toEqual([{ k: 3 }, 3]);
    expect(scheduler.hold(coming(100)).rooms).toEqual({ k: 5 });
    expect(scheduler.hold(coming(1)).rooms).toEqual({});
  });

  it("begin what was created in them, without a claim, and are free where nothing was", async () => {
    const { scheduler, started, results, end } = await setUpKnown(["k"]);
    const held = scheduler.hold(coming(4));
    await held.begin(created("k", ["k1", "k2"]));
    await settle();
    expect([started.slice(1), scheduler.inFlight]).toEqual([["k1", "k2"], 2]);
    await end("k1", "k2");
    expect([results.slice(1), scheduler.inFlight]).toEqual([["k1", "k2"], 0]);
    expect(scheduler.hold(coming(100)).rooms).toEqual({ k: 8 });
  });

  it("are none of queues that are unknown, another process's, or have deliveries waiting", async () => {
    const { scheduler } = await setUpKnown(["k"]);
    expect(scheduler.hold(coming(1, "other")).rooms).toEqual({});
    expect(scheduler.hold({ ...coming(1), isOwn: () => false }).rooms).toEqual({});
    scheduler.offer(first("k"), ids("k", 20));
    expect(scheduler.hold(coming(1)).rooms).toEqual({});
  });

  it("never fill a host's cap", async () => {
    const { scheduler } = await setUpKnown(["k", "k2", "k3"], { perHost: 12 });
    const { rooms } = scheduler.hold(coming(100));
    expect(rooms).toEqual({ k: 8, k2: 3 });
  });

  it("leave half of all room to deliveries that wait", async () => {
    const queues = Array.from({ length: 10 }, (_, n) => `k${n}`);
    const { scheduler } = await setUpKnown(queues);
    scheduler.hold(coming(100));
    expect(scheduler.inFlight).toBe(50);
  });

  it("put back what turns out to have a rate, but for the first", async () => {
    const { scheduler, started, putBack } = await setUpKnown(["k"]);
    const held = scheduler.hold(coming(2));
    const limited = created("k", ["k1", "k2"]).map((one) => ({ ...one, max_per_second: 1 }));
    await held.begin(limited);
    await settle();
    expect([started.slice(1), putBack]).toEqual([["k1"], ["k2"]]);
  });

  it("put back what is created after a stop", async () => {
    const { scheduler, started, putBack } = await setUpKnown(["k"]);
    const held = scheduler.hold(coming(2));
    const stopped = scheduler.stop(60_000);
    await held.begin(created("k", ["k1", "k2"]));
    await stopped;
    expect([started.slice(1), putBack, scheduler.inFlight]).toEqual([[], ["k1", "k2"], 0]);
    expect(scheduler.hold(coming(1)).rooms).toEqual({});
  });

  it("put back only what has no room where a stop comes in between", async () => {
    const { scheduler, started, putBack, results, end } = await setUpKnown(["k"]);
    const held = scheduler.hold(coming(2));
    const limited = created("k", ["k1", "k2"]).map((one) => ({ ...one, max_per_second: 1 }));
    const begun = held.begin(limited);
    const stopped = scheduler.stop(60_000);
    await begun;
    expect([started.slice(1), putBack]).toEqual([["k1"], ["k2"]]);
    await end("k1");
    await stopped;
    expect(results.slice(1)).toEqual(["k1"]);
  });
});
