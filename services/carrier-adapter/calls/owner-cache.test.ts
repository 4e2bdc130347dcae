import { describe, expect, it } from "@jest/globals";
import type { OwnerTerm } from "../../domain/number/rules/owner-at.ts";
import { OwnerCache } from "./owner-cache.ts";

const OWNER: OwnerTerm = { account_id: "a", porting_order_id: null, since: 0, until: null };

function open(limit: number) {
  const asked: (readonly string[])[] = [];
  const time = { ms: 0 };
  const cache = new OwnerCache({
    read: (numbers) => {
      asked.push(numbers);
      return Promise.resolve(
        new Map(
          numbers.flatMap((one): [string, OwnerTerm[]][] => {
            if (one === "nobody's") return [];
            return [[one, [one === "left" ? { ...OWNER, until: 1 } : OWNER]]];
          }),
        ),
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
    const owners = await cache.termsOf(["1", "2", "1", "nobody's"]);
    expect([...owners.keys()]).toEqual(["1", "2"]);
    await cache.termsOf(["2", "3"]);
    time.ms = 1_000;
    await cache.termsOf(["2", "3"]);
    expect(asked).toEqual([["1", "2", "nobody's"], ["3"], ["2", "3"]]);
  });

  it("are asked for again where nobody had the number", async () => {
    const { cache, asked } = open(10);
    await cache.termsOf(["nobody's"]);
    await cache.termsOf(["nobody's"]);
    expect(asked).toHaveLength(2);
  });

  it("are asked for again where the last one has lost the number", async () => {
    const { cache, asked } = open(10);
    expect((await cache.termsOf(["left"])).get("left")).toEqual([{ ...OWNER, until: 1 }]);
    await cache.termsOf(["left"]);
    expect(asked).toHaveLength(2);
  });

  it("are kept up to a limit", async () => {
    const { cache } = open(3);
    const owners = await cache.termsOf(["1", "2", "3", "4", "5"]);
    expect(owners.size).toBe(5);
    expect(cache.size).toBe(3);
  });
});
