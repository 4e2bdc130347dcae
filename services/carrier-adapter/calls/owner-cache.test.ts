import { describe, expect, it } from "@jest/globals";
import type { NumberOwner } from "../../domain/number/number-owner-store.ts";
import { OwnerCache } from "./owner-cache.ts";

const OWNER: NumberOwner = { account_id: "a", porting_order_id: null };

function open(limit: number) {
  const asked: (readonly string[])[] = [];
  const time = { ms: 0 };
  const cache = new OwnerCache({
    read: (numbers) => {
      asked.push(numbers);
      return Promise.resolve(
        new Map(numbers.filter((one) => one !== "nobody's").map((one) => [one, OWNER])),
      );
    },
    freshMs: 1_000,
    limit,
    nowMs: () => time.ms,
  });
  return { cache, asked, time };
}

describe("the owners of numbers", () => {
  it("are asked for once a batch, and again when they are no longer fresh", async () => {
    const { cache, asked, time } = open(10);
    const owners = await cache.ownersOf(["1", "2", "1", "nobody's"]);
    expect([...owners.keys()]).toEqual(["1", "2"]);
    await cache.ownersOf(["2", "3"]);
    time.ms = 1_000;
    await cache.ownersOf(["2", "3"]);
    expect(asked).toEqual([["1", "2", "nobody's"], ["3"], ["2", "3"]]);
  });

  it("are asked for again where nobody had the number", async () => {
    const { cache, asked } = open(10);
    await cache.ownersOf(["nobody's"]);
    await cache.ownersOf(["nobody's"]);
    expect(asked).toHaveLength(2);
  });

  it("are kept up to a limit", async () => {
    const { cache } = open(3);
    const owners = await cache.ownersOf(["1", "2", "3", "4", "5"]);
    expect(owners.size).toBe(5);
    expect(cache.size).toBe(3);
  });
});
