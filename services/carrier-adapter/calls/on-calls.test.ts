import { describe, expect, it } from "@jest/globals";
import type { OwnerTerm } from "../../domain/number/rules/owner-at.ts";
import { OwnerCache } from "./on-calls.ts";

const OWNER: OwnerTerm = { account_id: "a", porting_order_id: null, since: 0, until: null };

function open(limit: number) {
  const reads: (readonly string[])[] = [];
  const time = { ms: 0 };
  const cache = new OwnerCache({
    read: (numbers) => {
      reads.push(numbers);
      return Promise.resolve(
        new Map(
          numbers.flatMap((one): [string, OwnerTerm[]][] => {
            if (one === "unowned") return [];
            return [[one, [one === "left" ? { ...OWNER, until: 1 } : OWNER]]];
          }),
        ),
      );
    },
    freshMs: 1_000,
    limit,
    nowMs: () => time.ms,
  });
  return { cache, reads, time };
}

describe("OwnerCache", () => {
  it("reads owners once per batch, and again when they are no longer fresh", async () => {
    const { cache, reads, time } = open(10);
    const owners = await cache.termsOf(["1", "2", "1", "unowned"]);
    expect([...owners.keys()]).toEqual(["1", "2"]);
    await cache.termsOf(["2", "3"]);
    time.ms = 1_000;
    await cache.termsOf(["2", "3"]);
    expect(reads).toEqual([["1", "2", "unowned"], ["3"], ["2", "3"]]);
  });

  it("reads again where the number has no owner", async () => {
    const { cache, reads } = open(10);
    await cache.termsOf(["unowned"]);
    await cache.termsOf(["unowned"]);
    expect(reads).toHaveLength(2);
  });

  it("reads again where the last owner has lost the number", async () => {
    const { cache, reads } = open(10);
    expect((await cache.termsOf(["left"])).get("left")).toEqual([{ ...OWNER, until: 1 }]);
    await cache.termsOf(["left"]);
    expect(reads).toHaveLength(2);
  });

  it("keeps numbers up to a limit", async () => {
    const { cache } = open(3);
    const owners = await cache.termsOf(["1", "2", "3", "4", "5"]);
    expect(owners.size).toBe(5);
    expect(cache.size).toBe(3);
  });
});
