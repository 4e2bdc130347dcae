import { describe, expect, it } from "@jest/globals";
import type { RateLimit } from "./bucket-store.ts";
import { TokenLeases } from "./token-leases.ts";

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
