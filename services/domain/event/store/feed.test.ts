import { describe, expect, it } from "@jest/globals";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { hasWholeFeed } from "./feed.ts";

/** A server with this mark of a primary and this counter of the account's feed. */
function server(mark: string | null, tip: number): Queryable {
  return { query: () => Promise.resolve({ rows: [{ mark, tip }] }) } as unknown as Queryable;
}

const has = (replica: Queryable, primary: Queryable): Promise<boolean> =>
  hasWholeFeed(replica, primary, "00000000-0000-7000-8000-000000000000");

describe("a replica", () => {
  it("has a whole feed once its counter is the primary's", async () => {
    expect(await has(server("this", 6), server("this", 7))).toBe(false);
    expect(await has(server("this", 7), server("this", 7))).toBe(true);
    expect(await has(server("this", 8), server("this", 7))).toBe(true);
  });

  it("does not have it where it follows another primary, whose events at these positions are others", async () => {
    expect(await has(server("before the failover", 8), server("this", 7))).toBe(false);
    expect(await has(server(null, 7), server("this", 7))).toBe(false);
    expect(await has(server("before the failover", 7), server(null, 7))).toBe(false);
    expect(await has(server(null, 7), server(null, 7))).toBe(false);
  });
});
