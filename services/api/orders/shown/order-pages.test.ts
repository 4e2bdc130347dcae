import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../../platform/db/transaction.ts";
import type { KeptAnswer } from "./kept-answer.ts";
import { OrderPages, type AskedPage } from "./order-pages.ts";
import { listedOrder } from "./order-view.ts";

const NOW = new Date("2026-11-24T12:00:00Z");

interface Stored {
  readonly version: string;
  readonly numbersCount: number;
  readonly awaited?: KeptAnswer["awaited"];
}

function answerOf(id: string, { version, numbersCount, awaited = null }: Stored): KeptAnswer {
  const from = NOW.getTime();
  const json = Buffer.from(JSON.stringify({ id, version }));
  return { json, version, numbersCount, from, until: from + 1_000, awaited, dueAt: null };
}

/** Pages over orders that a test changes; `reads` counts how often orders were read for a page. */
function pagesOver(listed: ReadonlyMap<string, string>, stored: ReadonlyMap<string, Stored>) {
  const clock = { now: () => NOW };
  const seen = { reads: 0, clock };
  const orders = {
    readSeveral: () => {
      seen.reads += 1;
      return Promise.resolve(
        new Map([...stored].map(([id, one]) => [id, answerOf(id, one)] as const)),
      );
    },
  };
  const text = () => [...listed].map(([id, version]) => `${id} ${version}`).join(",");
  const db = { query: () => Promise.resolve({ rows: [{ listed: text() }] }) };
  const pages = new OrderPages(orders, { now: () => seen.clock.now() });
  const read = async (asked: Partial<AskedPage> & { readonly fetch?: number } = {}) => {
    const { fetch = 51 } = asked;
    const range = { direction: "desc", above: "", below: "", fetch } as const;
    const page = await pages.read(db as unknown as Queryable, {
      ...{ accountId: "one", filter: {}, view: listedOrder(), isReversed: false },
      ...asked,
      range,
    });
    const { data } = JSON.parse(page.json.toString()) as { data: { id: string }[] };
    return { ids: data.map(({ id }) => id), hasMore: page.hasMore, farthestId: page.farthestId };
  };
  return { read, seen };
}

const one = { version: "1", numbersCount: 1 };

describe("pages of orders", () => {
  it("are made again only where an order, the account or the view is another", async () => {
    const listed = new Map([
      ["b", "1"],
      ["a", "1"],
    ]);
    const stored = new Map<string, Stored>([
      ["b", one],
      ["a", one],
    ]);
    const { read, seen } = pagesOver(listed, stored);
    const whole = { ids: ["b", "a"], hasMore: false, farthestId: "a" };
    expect(await read()).toEqual(whole);
    expect(await read()).toEqual(whole);
    expect(seen.reads).toBe(1);
    listed.set("a", "2");
    stored.set("a", { version: "2", numbersCount: 1 });
    expect(await read()).toEqual(whole);
    expect(seen.reads).toBe(2);
    await read({ accountId: "other" });
    await read({ view: listedOrder(new Set(["numbers"])) });
    expect((await read({ isReversed: true })).ids).toEqual(["a", "b"]);
    expect(seen.reads).toBe(5);
  });

  it("are made again once one of their orders does not hold any more", async () => {
    const { read, seen } = pagesOver(new Map([["a", "1"]]), new Map([["a", one]]));
    await read();
    seen.clock = { now: () => new Date(NOW.getTime() + 1_001) };
    await read();
    expect(seen.reads).toBe(2);
  });

  it("are not kept where an order has changed since it was listed, or waits for something else", async () => {
    const newer = pagesOver(new Map([["a", "1"]]), new Map([["a", { ...one, version: "2" }]]));
    const awaited = { order_id: "a", expiry: null, attempt: 1, port_out_ref: null };
    const waiting = pagesOver(new Map([["a", "1"]]), new Map([["a", { ...one, awaited }]]));
    for (const { read, seen } of [newer, waiting]) {
      await read();
      await read();
      expect(seen.reads).toBe(2);
    }
  });

  it("end after the order in which they reach 5,000 numbers, or at their limit", async () => {
    const listed = new Map(["d", "c", "b", "a"].map((id) => [id, "1"]));
    const many = { version: "1", numbersCount: 2_500 };
    const stored = new Map<string, Stored>([...listed.keys()].map((id) => [id, many]));
    const { read } = pagesOver(listed, stored);
    expect(await read()).toEqual({ ids: ["d", "c"], hasMore: true, farthestId: "c" });
    expect(await read({ fetch: 2 })).toEqual({ ids: ["d"], hasMore: true, farthestId: "d" });
  });

  it("leave out an order that was deleted meanwhile, and are empty without any", async () => {
    const listed = new Map([
      ["b", "1"],
      ["a", "1"],
    ]);
    const { read } = pagesOver(listed, new Map([["a", one]]));
    expect(await read()).toEqual({ ids: ["a"], hasMore: false, farthestId: "a" });
    expect(await pagesOver(new Map(), new Map()).read()).toEqual({
      ids: [],
      hasMore: false,
      farthestId: undefined,
    });
  });
});
