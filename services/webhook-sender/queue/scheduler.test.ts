import { describe, expect, it } from "@jest/globals";
import { ProxyUnusable } from "../attempt/open-tunnel.ts";
import { Unsent } from "../attempt/exchange.ts";
import {
  claimOf,
  first,
  ids,
  setUpScheduler as setUp,
  settle,
} from "../../../test/support/webhooks/test-scheduler.ts";

describe("the scheduler", () => {
  it("starts no more of a queue than its window allows, and continues as attempts end", async () => {
    const { scheduler, offer, started, results, end } = setUp();
    offer(first("k"), ids("d", 20));
    await settle();
    expect(started).toEqual(ids("d", 8));
    const half = ids("d", 4);
    await end(...half);
    expect(results).toEqual(half);
    expect(started.length).toBeGreaterThanOrEqual(12);
    expect(scheduler.inFlight).toBe(started.length - 4);
  });

  it("shares one cap between queues, round robin", async () => {
    const { offer, started } = setUp({ concurrency: 6 });
    offer(first("x"), ids("x", 20));
    offer(first("y"), ids("y", 20));
    offer(first("z"), ids("z", 1));
    await settle();
    expect(started.toSorted()).toEqual(["x0", "x1", "x2", "y0", "y1", "z0"]);
  });

  it("does not let a hanging queue delay another", async () => {
    const { offer, started, end } = setUp();
    offer(first("hangs"), ids("h", 150));
    offer(first("works"), ids("w", 10));
    await settle();
    await end(...ids("w", 8));
    expect(started.filter((id) => id.startsWith("h"))).toHaveLength(8);
    expect(started.filter((id) => id.startsWith("w"))).toHaveLength(10);
  });

  it("fetches the deliveries that it is woken for, until none are left", async () => {
    const pages = [ids("p", 100), ids("q", 3)];
    const asked: string[][] = [];
    const { scheduler, started, end } = setUp({
      fetchDue: (lines) => {
        asked.push(lines.map((line) => line.endpoint_key));
        return Promise.resolve([{ ...first("k"), delivery_ids: pages.shift() ?? [] }]);
      },
    });
    scheduler.wake([first("k")]);
    await settle();
    for (let done = 0; done < 103; done = started.length) await end(...started);
    expect(new Set(started)).toEqual(new Set([...ids("p", 100), ...ids("q", 3)]));
    await settle();
    expect(asked).toEqual([["k"], ["k"]]);
  });

  it("serves accounts round robin, however many queues they have", async () => {
    const { offer, started, end } = setUp({ concurrency: 4 });
    for (const queue of ["x1", "x2", "x3", "y1"]) offer(first(queue), [queue]);
    await settle();
    await end("x1", "x2", "x3", "y1");
    for (const queue of ["x1", "x2", "x3"]) offer(first(queue), ids(`${queue}-`, 5));
    offer(first("y1"), ids("y-", 5));
    await settle();
    expect(started.slice(4).toSorted()).toEqual(["x1-0", "x2-0", "y-0", "y-1"]);
  });

  it("holds a host to its cap, and puts back claims beyond it", async () => {
    const { scheduler, offer, started, putBack, end } = setUp({ perHost: 4 });
    for (const queue of ["h1", "h2", "h3", "h4", "h5"]) offer(first(queue), [queue]);
    offer(first("other"), ["other"]);
    await settle();
    expect(started).toEqual(["h1", "h2", "h3", "h4", "other"]);
    expect(putBack).toEqual(["h5"]);
    offer(first("h1"), ids("h1-", 4));
    await settle();
    expect(started).toHaveLength(5);
    expect(scheduler.inFlight).toBe(5);
    await end("h2", "h3");
    expect(started.slice(5)).toEqual(["h1-0", "h1-1"]);
  });

  it("keeps the pace of an endpoint, from its first attempt on", async () => {
    const reserved: number[] = [];
    const { offer, started, end } = setUp({
      claim: (wanted) =>
        Promise.resolve(wanted.map((id) => ({ ...claimOf(id), max_per_second: 10 }))),
      reserve: (_key, { count }) => {
        reserved.push(count);
        return Promise.resolve(reserved.length === 1 ? -105 : 60_000);
      },
    });
    offer(first("k"), ids("d", 20));
    await settle();
    for (let n = 0; n < 100 && started.length < 2; n += 1) await settle();
    expect(started).toEqual(["d0", "d1"]);
    await end("d0", "d1");
    expect(started).toHaveLength(2);
    expect(reserved).toEqual([2, 1]);
  });

  it("keeps a pace from the first attempt that reveals it, whatever started with that attempt", async () => {
    let perSecond: number | null = null;
    const { offer, started, putBack, end } = setUp({
      claim: (wanted) =>
        Promise.resolve(wanted.map((id) => ({ ...claimOf(id), max_per_second: perSecond }))),
      reserve: () => Promise.resolve(60_000),
    });
    offer(first("k"), ["before"]);
    await settle();
    await end("before");
    perSecond = 1;
    offer(first("k"), ids("d", 6));
    await settle();
    expect(started).toEqual(["before", "d0"]);
    expect(putBack).toEqual(["d1", "d2", "d3", "d4", "d5"]);
  });

  it("forgets deliveries that others have claimed", async () => {
    const { scheduler, offer, started } = setUp({
      claim: (wanted) => Promise.resolve(wanted.filter((id) => id !== "d1").map(claimOf)),
    });
    offer(first("k"), ids("d", 3));
    await settle();
    expect(started).toEqual(["d0", "d2"]);
    expect(scheduler.inFlight).toBe(2);
  });

  it("makes no attempts while results wait to be written", async () => {
    let isCongested = true;
    const { scheduler, offer, started } = setUp({ isCongested: () => isCongested });
    offer(first("k"), ["d"]);
    await settle();
    expect(started).toEqual([]);
    isCongested = false;
    scheduler.notify();
    await settle();
    expect(started).toEqual(["d"]);
  });

  it("puts back deliveries that the proxy could not send, and pauses for a while", async () => {
    const unsent = Promise.resolve(new Unsent(new ProxyUnusable()));
    const started: string[] = [];
    const { scheduler, offer, results, putBack } = setUp({
      concurrency: 2,
      start: ({ id }) => {
        started.push(id);
        return Promise.resolve({ result: unsent, cancel: () => undefined });
      },
    });
    offer(first("k"), ids("d", 2));
    await settle();
    offer(first("k"), ["later"]);
    await settle();
    expect(started).toEqual(putBack);
    expect(started.length).toBeLessThanOrEqual(2);
    expect([results, scheduler.inFlight]).toEqual([[], 0]);
  });

  it("stops when its attempts have ended", async () => {
    const { scheduler, offer, started, givenBack, end } = setUp();
    offer(first("k"), ids("d", 2));
    await settle();
    const stopped = scheduler.stop(60_000);
    offer(first("k"), ["late"]);
    await end("d0", "d1");
    await stopped;
    expect(started).toEqual(["d0", "d1"]);
    expect(givenBack).toEqual([]);
  });

  it("gives back attempts that have not ended in time", async () => {
    const { scheduler, offer, givenBack, results, end } = setUp();
    offer(first("k"), ids("d", 2));
    await settle();
    await end("d0");
    await scheduler.stop(1);
    await settle();
    expect(givenBack).toEqual(["d1"]);
    expect(results).toEqual(["d0"]);
  });
});
