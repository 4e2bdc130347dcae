import { describe, expect, it } from "@jest/globals";
import { buildOrder } from "../../../test/support/orders/order-factory.ts";
import type { Database } from "../../platform/db/transaction.ts";
import { toProblem } from "../../platform/http/problem.ts";
import type { ApiDeps } from "../api-deps.ts";
import { portingOrderRoutes } from "../orders/routes.ts";
import { portabilityCheckRoutes } from "../portability/routes.ts";
import type { AccountPrincipal } from "./customer-routes.ts";
import { createHeavyRequests, createRequestSlots, type HeavyRequests } from "./request-slots.ts";

const principal = (accountId: string): AccountPrincipal => ({
  accountId,
  keyId: "key",
  suspended: false,
});
const [ours, others] = [principal("ours"), principal("others")];

describe("the slots of an account's requests", () => {
  it("are free up to the limit, without a wait, whatever another account does", () => {
    const slots = createRequestSlots(2);
    expect([slots?.enter(ours), slots?.enter(ours), slots?.enter(others)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("of an order's link are also the account's, so that many links have no more than one", async () => {
    const slots = createRequestSlots(1, 1);
    const link = (sessionId: string): AccountPrincipal => ({
      ...ours,
      portal: { sessionId, orderId: "order" },
    });
    await slots?.enter(link("first"));
    const second = slots?.enter(link("second"))?.catch((error: unknown) => toProblem(error, "id"));
    expect(await second).toMatchObject({ body: { code: "rate_limited" } });
    slots?.leave(link("first"));
    expect(slots?.enter(link("second"))).toBeUndefined();
  });

  it("make the next request wait until one is given back", async () => {
    const slots = createRequestSlots(1);
    await slots?.enter(ours);
    const waiting = slots?.enter(ours);
    slots?.leave(ours);
    await expect(waiting).resolves.toBeUndefined();
  });

  it("refuse a request that waited too long, and only that one", async () => {
    const slots = createRequestSlots(1, 1);
    await slots?.enter(ours);
    const refused = await slots?.enter(ours)?.catch((error: unknown) => toProblem(error, "id"));
    expect(refused).toMatchObject({
      headers: { "Retry-After": "1" },
      body: { code: "rate_limited" },
    });
    slots?.leave(ours);
    expect(slots?.enter(ours)).toBeUndefined();
  });

  it("are unlimited for 0", () => {
    expect(createRequestSlots(0)).toBeUndefined();
  });
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that goes on until it is ended; how much of it runs, and ran at once. */
function countedWork() {
  const ends: (() => void)[] = [];
  const seen = { running: 0, most: 0, done: 0 };
  const work = async (): Promise<void> => {
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    await new Promise<void>((resolve) => ends.push(resolve));
    seen.running -= 1;
    seen.done += 1;
  };
  const endOne = (): void => {
    ends.shift()?.();
  };
  const endAll = async (count: number): Promise<void> => {
    while (seen.done < count) {
      endOne();
      await settled();
    }
  };
  return { work, seen, endOne, endAll };
}

describe("heavy requests", () => {
  it("of an account run one after the other, and all of them do", async () => {
    const heavy = createHeavyRequests(20);
    const { work, seen, endAll } = countedWork();
    const all = Array.from({ length: 18 }, () => heavy.run("ours", work));
    await endAll(all.length);
    await Promise.all(all);
    expect(seen.most).toBe(1);
  });

  it("of another account begin at once beside those of one that has many", async () => {
    const heavy = createHeavyRequests(20);
    const [ours, others] = [countedWork(), countedWork()];
    const all = Array.from({ length: 18 }, () => heavy.run("ours", ours.work));
    const other = heavy.run("others", others.work);
    await settled();
    expect([ours.seen.running, others.seen.running]).toEqual([1, 1]);
    others.endOne();
    await other;
    await ours.endAll(all.length);
    await Promise.all(all);
  });

  it("of all accounts are four at once", async () => {
    const heavy = createHeavyRequests(20);
    const { work, seen, endAll } = countedWork();
    const all = Array.from({ length: 9 }, (_, n) => heavy.run(`account ${n}`, work));
    await endAll(all.length);
    await Promise.all(all);
    expect(seen.most).toBe(4);
  });

  it("that waited too long are rate limited, and never begun", async () => {
    const heavy = createHeavyRequests(20, 1);
    const { work, seen, endOne } = countedWork();
    const first = heavy.run("ours", work);
    const refused = await heavy.run("ours", work).catch((error: unknown) => toProblem(error, "id"));
    expect(refused).toMatchObject({
      headers: { "Retry-After": "1" },
      body: { code: "rate_limited" },
    });
    endOne();
    await first;
    expect(seen.done).toBe(1);
  });

  it("are as many as come where requests have no limit", async () => {
    const heavy = createHeavyRequests(0);
    const { work, seen, endAll } = countedWork();
    const all = Array.from({ length: 6 }, () => heavy.run("ours", work));
    expect(seen.running).toBe(6);
    await endAll(all.length);
    await Promise.all(all);
  });
});

describe("requests about one order", () => {
  const mostAtOnce = async (numbers: number): Promise<number> => {
    const heavy = createHeavyRequests(20);
    heavy.note("order", numbers);
    const { work, seen, endAll } = countedWork();
    const all = Array.from({ length: 6 }, () => heavy.runAbout("ours", "order", work));
    await endAll(all.length);
    await Promise.all(all);
    return seen.most;
  };

  it("run one after the other from when it is seen to have more than 50 numbers", async () => {
    expect([await mostAtOnce(50), await mostAtOnce(51)]).toEqual([6, 1]);
  });

  it("are no longer heavy when it has fewer, or when 10,000 others were seen since", async () => {
    const heavy = createHeavyRequests(20);
    const running = async (orderId: string): Promise<number> => {
      const { work, seen, endAll } = countedWork();
      const both = [1, 2].map(() => heavy.runAbout("ours", orderId, work));
      await endAll(both.length);
      await Promise.all(both);
      return seen.most;
    };
    heavy.note("shrunk", 51);
    heavy.note("shrunk", 50);
    heavy.note("old", 51);
    for (let n = 1; n < 10_000; n += 1) heavy.note(`order ${n}`, 51);
    expect([await running("shrunk"), await running("old")]).toEqual([2, 1]);
    heavy.note("one more", 51);
    expect(await running("old")).toBe(2);
  });
});

describe("a request", () => {
  const turns: string[] = [];
  const heavy: HeavyRequests = {
    run: (owner, work) => {
      turns.push(owner);
      return work();
    },
    runAbout: (owner, orderId, work) => {
      turns.push(`${owner} ${orderId}`);
      return work();
    },
    note: () => {},
  };
  const bus = { clock: { now: () => new Date() } };
  const deps = { bus, heavy } as unknown as ApiDeps;
  const routes = [...portingOrderRoutes(deps), ...portabilityCheckRoutes(deps)];
  const numbers = (count: number) => ({ phone_numbers: Array<string>(count).fill("+12125550123") });
  const principal = { accountId: "a", keyId: "k", suspended: false };
  // The submit looks whether a document of the order is still being checked.
  const row = { ...buildOrder(), touched: [], requirement_profile_id: "p", items: [] };
  const db = {
    query: () => Promise.resolve({ rows: [{ ...row, id: "p" }] }),
  } as unknown as Database;

  it.each([
    { what: "POST /v2/porting_orders", body: numbers(50), isHeavy: false },
    { what: "POST /v2/porting_orders", body: numbers(51), isHeavy: true },
    { what: "POST /v2/portability_checks", body: numbers(50), isHeavy: false },
    { what: "POST /v2/portability_checks", body: numbers(51), isHeavy: true },
    { what: "GET /v2/porting_orders", query: {}, isHeavy: false },
    { what: "GET /v2/porting_orders", query: { include: new Set(["numbers"]) }, isHeavy: true },
  ])("$what is heavy: $isHeavy", async ({ what, body = {}, query = {}, isHeavy }) => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === what);
    turns.length = 0;
    const params = { id: "o" };
    const given = { db, principal, params, query, body };
    const answer = await route?.inSlot?.(given, () => Promise.resolve("done"));
    expect(answer).toBe("done");
    expect(turns).toEqual(isHeavy ? ["account:a"] : []);
  });

  it.each([
    "GET /v2/porting_orders/:id",
    "GET /v2/porting_orders/:id/readiness",
    "PATCH /v2/porting_orders/:id",
    "POST /v2/porting_orders/:id/submit",
    "POST /v2/porting_orders/:id/cancel",
  ])("%s takes turns where its order is large", async (what) => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === what);
    turns.length = 0;
    const given = { db, principal, params: { id: "o" }, query: {}, body: {} };
    await route?.inSlot?.(given, () => Promise.resolve("done"));
    expect(turns).toEqual(["account:a o"]);
  });
});
