import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { QueryConfig } from "pg";
import { systemClock } from "../clock.ts";
import type { Queryable } from "../db/transaction.ts";
import { createLogger } from "../logger.ts";
import { limitByAddress, startRateLimits, type RateLimits } from "./start-rate-limits.ts";

/** One token for each owner; each statement's name goes into `asked`. */
function openBuckets(asked: unknown[] = []): Queryable {
  const spent = new Set<unknown>();
  const query = ({ name, values: [owner] = [] }: QueryConfig) => {
    asked.push(name);
    const granted = name === "rate-take" && !spent.has(owner) ? 1 : 0;
    spent.add(owner);
    return Promise.resolve({ rows: name === "rate-take" ? [{ granted, left: 0 }] : [] });
  };
  return { query } as unknown as Queryable;
}

let limits: RateLimits;

beforeEach(() => {
  limits = startRateLimits({
    db: openBuckets(),
    clock: systemClock,
    log: createLogger("test", "silent"),
    requests: { perMinute: 600, burst: 100 },
    failuresPerMinute: 60,
  });
});

afterEach(() => limits.stop());

describe("the limit of requests without a valid key", () => {
  it("is one for all addresses of an IPv6 network: whoever has one has them all", async () => {
    await limits.refused("2001:db8:0:1::1");
    await expect(limits.refused("2001:db8:0:1:ffff::2")).rejects.toMatchObject({
      code: "rate_limited",
      message: "An address may make 60 requests a minute without a valid key. Try again in 1 s.",
    });
    await limits.refused("2001:db8:0:2::1");
  });

  it("is one for an IPv4 address, in whichever way it is written", async () => {
    await limits.refused("192.0.2.1");
    await expect(limits.refused("::ffff:192.0.2.1")).rejects.toMatchObject({
      code: "rate_limited",
    });
    await limits.refused("192.0.2.2");
  });
});

describe("a limit by address", () => {
  it("names what it counts, and deletes no buckets by itself", async () => {
    const asked: unknown[] = [];
    const db = openBuckets(asked);
    const limit = limitByAddress(db, { kind: "opening", perMinute: 60, what: "openings" });
    expect(asked).toEqual([]);
    await limit("192.0.2.1");
    await expect(limit("192.0.2.1")).rejects.toMatchObject({
      code: "rate_limited",
      message: "An address may make 60 openings. Try again in 1 s.",
    });
  });

  it("of 0 is none", async () => {
    const limit = limitByAddress(openBuckets(), {
      kind: "opening",
      perMinute: 0,
      what: "openings",
    });
    await limit("192.0.2.1");
    await expect(limit("192.0.2.1")).resolves.toBeUndefined();
  });
});
