import { describe, expect, it } from "@jest/globals";
import {
  claimOf,
  first,
  ids,
  setUpScheduler,
  settle,
} from "../../../test/support/webhooks/test-scheduler.ts";

const PER_HOST = 16;
/** 70 % of them. */
const SHARE = 11;

/** The account is the id's first letter; all have one host. */
const atOneHost = (id: string) => ({ ...claimOf(id), url: "https://shared.example/" });

const setUp = () =>
  setUpScheduler({
    perHost: PER_HOST,
    claim: (wanted) => Promise.resolve(wanted.map(atOneHost)),
  });

type SetUp = ReturnType<typeof setUp>;

/** Makes one attempt of each queue, by which the scheduler knows where they go. */
async function makeKnown({ offer, end }: SetUp, queues: readonly string[]): Promise<void> {
  for (const key of queues) offer(first(key), [`${key}-known`]);
  await settle();
  await end(...queues.map((key) => `${key}-known`));
}

async function offer(setUp: SetUp, key: string, count: number): Promise<void> {
  setUp.offer(first(key), ids(`${key}-`, count));
  await settle();
}

/** How many attempts of an account have started, but for those that made it known. */
const startsOf = ({ started }: SetUp, account: string): number =>
  started.filter((id) => id.startsWith(account) && !id.endsWith("known")).length;

describe("the attempts at one host", () => {
  it("may all be those of an account that is alone there", async () => {
    const alone = setUp();
    await makeKnown(alone, ["a1", "a2", "a3"]);
    for (const key of ["a1", "a2", "a3"]) await offer(alone, key, 8);
    expect(startsOf(alone, "a")).toBe(PER_HOST);
  });

  it("leave room for another account that is known there, though it has nothing to send yet", async () => {
    const shared = setUp();
    await makeKnown(shared, ["a1", "a2", "a3", "b"]);
    for (const key of ["a1", "a2", "a3"]) await offer(shared, key, 8);
    expect(startsOf(shared, "a")).toBe(SHARE);
    await offer(shared, "b", 3);
    expect(startsOf(shared, "b")).toBe(3);
  });

  it("go on for an account whose attempts end, beside another's that all hang", async () => {
    const shared = setUp();
    await makeKnown(shared, ["a1", "a2", "a3", "b"]);
    for (const key of ["a1", "a2", "a3"]) await offer(shared, key, 8);
    await offer(shared, "b", 20);
    for (let ended = 0; ended < 20; ended = startsOf(shared, "b")) {
      const before = startsOf(shared, "b");
      await shared.end(...ids("b-", before));
      if (startsOf(shared, "b") === before) break;
    }
    expect([startsOf(shared, "a"), startsOf(shared, "b")]).toEqual([SHARE, 20]);
  });

  it("are shared once another account comes to a host that one has filled", async () => {
    const shared = setUp();
    await makeKnown(shared, ["a1", "a2", "a3"]);
    for (const key of ["a1", "a2", "a3"]) await offer(shared, key, 20);
    await offer(shared, "b", 1);
    expect([startsOf(shared, "b"), shared.putBack]).toEqual([0, ["b-0"]]);
    await shared.end(...ids("a1-", 3));
    await offer(shared, "b", 1);
    expect([startsOf(shared, "a"), startsOf(shared, "b")]).toEqual([PER_HOST, 1]);
  });

  it("leave room for deliveries of others that are yet to be created", async () => {
    const shared = setUp();
    await makeKnown(shared, ["a1", "a2", "b"]);
    expect(shared.scheduler.rooms(new Map([["a", 100]]))).toEqual({ a1: 8, a2: 2 });
    await offer(shared, "a1", 8);
    await offer(shared, "a2", 2);
    const both = new Map([
      ["a", 100],
      ["b", 2],
    ]);
    expect(shared.scheduler.rooms(both)).toEqual({ b: 2 });
  });
});

const coming = (count: number, account = "k") => new Map([[account, count]]);

/** A scheduler that has made one attempt of each queue, by which it knows their accounts and hosts. */
async function setUpKnown(queues: readonly string[], over: { perHost?: number } = {}) {
  const setUp = setUpScheduler({ concurrency: 100, ...over });
  for (const key of queues) setUp.offer(first(key), [`${key}-known`]);
  await settle();
  await setUp.end(...queues.map((key) => `${key}-known`));
  return setUp;
}

const created = (endpoint_key: string, names: readonly string[]) =>
  names.map((id) => ({ ...claimOf(id), endpoint_key }));

describe("room for deliveries that are about to be created", () => {
  it("is as much as there are events and the window has room for", async () => {
    const { scheduler, end } = await setUpKnown(["k"]);
    expect(scheduler.rooms(coming(3))).toEqual({ k: 3 });
    await scheduler.begin(created("k", ids("k", 3)));
    expect(scheduler.rooms(coming(100))).toEqual({ k: 5 });
    await scheduler.begin(created("k", ids("kk", 5)));
    expect(scheduler.rooms(coming(1))).toEqual({});
    await end(...ids("k", 3), ...ids("kk", 5));
    expect(scheduler.rooms(coming(100))).toEqual({ k: 10 });
  });

  it("is none at queues that are unknown or have deliveries waiting", async () => {
    const { scheduler, offer } = await setUpKnown(["k"]);
    expect(scheduler.rooms(coming(1, "other"))).toEqual({});
    offer(first("k"), ids("k", 20));
    expect(scheduler.rooms(coming(1))).toEqual({});
  });

  it("never fills a host's cap", async () => {
    const { scheduler } = await setUpKnown(["k", "k2", "k3"], { perHost: 12 });
    expect(scheduler.rooms(coming(100))).toEqual({ k: 8, k2: 3 });
  });

  it("leaves half of all room to deliveries that wait", async () => {
    const { scheduler } = await setUpKnown(ids("k", 10));
    const rooms = Object.values(scheduler.rooms(coming(100)));
    expect(rooms.reduce((sum, room) => sum + room, 0)).toBe(50);
  });
});

describe("deliveries that were claimed as they were created", () => {
  it("begin without another claim", async () => {
    const { scheduler, started, results, end } = await setUpKnown(["k"]);
    await scheduler.begin(created("k", ["k1", "k2"]));
    await settle();
    expect([started.slice(1), scheduler.inFlight]).toEqual([["k1", "k2"], 2]);
    await end("k1", "k2");
    expect([results.slice(1), scheduler.inFlight]).toEqual([["k1", "k2"], 0]);
  });

  it("are put back where their host was filled meanwhile", async () => {
    const { scheduler, offer, started, putBack } = await setUpKnown(["k", "k2"], { perHost: 8 });
    offer(first("k2"), ids("k2-", 8));
    await settle();
    await scheduler.begin(created("k", ["k1"]));
    expect([started.includes("k1"), putBack, scheduler.inFlight]).toEqual([false, ["k1"], 8]);
  });

  it("are put back where their endpoint turns out to have a rate, but for the first", async () => {
    const { scheduler, started, putBack } = await setUpKnown(["k"]);
    const limited = created("k", ["k1", "k2"]).map((one) => ({ ...one, max_per_second: 1 }));
    await scheduler.begin(limited);
    await settle();
    expect([started.slice(1), putBack]).toEqual([["k1"], ["k2"]]);
  });

  it("are put back after a stop", async () => {
    const { scheduler, started, putBack } = await setUpKnown(["k"]);
    const stopped = scheduler.stop(60_000);
    await scheduler.begin(created("k", ["k1", "k2"]));
    await stopped;
    expect([started.slice(1), putBack, scheduler.inFlight]).toEqual([[], ["k1", "k2"], 0]);
    expect(scheduler.rooms(coming(1))).toEqual({});
  });
});
