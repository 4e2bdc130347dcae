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
