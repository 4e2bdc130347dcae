import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { QueryConfig } from "pg";
import { systemClock } from "../clock.ts";
import type { Queryable } from "../db/transaction.ts";
import { createLogger } from "../logger.ts";
import {
  limitByAddress,
  limitByOwner,
  startRateLimits,
  TokenLeases,
  type RateLimit,
  type RateLimits,
} from "./start-rate-limits.ts";

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

const LIMIT: RateLimit = { perMinute: 600, burst: 100 };

/** A bucket as in the database, on the test's clock. */
function openBucket(limit = LIMIT) {
  const state = { now: 0, tokens: limit.burst, filledAt: 0, writes: 0 };
  const take = (_: string, want: number) => {
    const passed = (state.now - state.filledAt) / 60_000;
    const tokens = Math.min(limit.burst, state.tokens + passed * limit.perMinute);
    const granted = Math.min(want, Math.floor(tokens));
    Object.assign(state, { tokens: tokens - granted, filledAt: state.now });
    state.writes += 1;
    return Promise.resolve({ granted, left: tokens - granted });
  };
  const process = () => new TokenLeases({ limit, take, now: () => state.now });
  return { state, process };
}

async function spendMany(leases: TokenLeases, count: number): Promise<number> {
  const verdicts = await Promise.all(Array.from({ length: count }, () => leases.spend("a")));
  return verdicts.filter(({ allowed }) => allowed).length;
}

describe("a limit by owner", () => {
  it("counts each owner by itself, and refuses with its sentence", async () => {
    const refusal = "An account may do 2 a minute.";
    const limit = limitByOwner(openBuckets(), { kind: "act", perMinute: 2, burst: 120, refusal });
    await limit("first");
    await expect(limit("first")).rejects.toMatchObject({
      code: "rate_limited",
      message: `${refusal} Try again in 30 s.`,
    });
    await expect(limit("second")).resolves.toBeUndefined();
  });
});

describe("TokenLeases", () => {
  it("allows the burst, then the rate, and no more", async () => {
    const { state, process } = openBucket();
    const leases = process();
    expect(await spendMany(leases, 150)).toBe(100);
    state.now += 1_000;
    expect(await spendMany(leases, 150)).toBe(10);
  });

  it("holds across processes", async () => {
    const { process } = openBucket();
    const allowed = await Promise.all(
      [process(), process(), process()].map((one) => spendMany(one, 100)),
    );
    expect(allowed.reduce((sum, one) => sum + one, 0)).toBe(100);
  });

  it("writes less often than it is called, and not at all while it refuses", async () => {
    const { state, process } = openBucket();
    const leases = process();
    await spendMany(leases, 100);
    expect(state.writes).toBe(10);
    await spendMany(leases, 50);
    expect(state.writes).toBe(11);
  });

  it("returns how long to wait for the next token", async () => {
    const { state, process } = openBucket();
    const leases = process();
    await spendMany(leases, 100);
    const refused = await leases.spend("a");
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expect(refused.retryAfterMs).toBeCloseTo(100, 0);
    state.now += refused.retryAfterMs;
    expect((await leases.spend("a")).allowed).toBe(true);
  });

  it("counts down what is left", async () => {
    const leases = openBucket().process();
    expect((await leases.spend("a")).remaining).toBe(99);
    expect((await leases.spend("a")).remaining).toBe(98);
  });

  it("rethrows a failed lease, and tries again", async () => {
    let broken = true;
    const leases = new TokenLeases({
      limit: LIMIT,
      take: () =>
        broken ? Promise.reject(new Error("away")) : Promise.resolve({ granted: 1, left: 0 }),
    });
    await expect(leases.spend("a")).rejects.toThrow("away");
    broken = false;
    expect((await leases.spend("a")).allowed).toBe(true);
  });
});
