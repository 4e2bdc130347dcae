import { describe, expect, it } from "@jest/globals";
import { isSilence } from "./http-status.ts";
import { Backoff, hangs, silenceAfter } from "./kept-program.ts";

describe("Backoff", () => {
  it("doubles from 100 ms to 5 s", () => {
    const backoff = new Backoff();
    const delays = Array.from({ length: 8 }, () => backoff.delayAfter(0));
    expect(delays).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  it("starts over after 30 s of health, not before", () => {
    const backoff = new Backoff();
    backoff.delayAfter(0);
    expect(backoff.delayAfter(29_999)).toBe(200);
    expect(backoff.delayAfter(30_000)).toBe(100);
  });
});

describe("the silence of a program", () => {
  it("adds up over the probes without a reaction, and ends with the first", () => {
    const after = silenceAfter(4_000, { isFine: false, tookMs: 4_001 });
    expect(after).toBe(8_001);
    expect(silenceAfter(after, { isFine: true, tookMs: 1_010 })).toBe(0);
  });

  it("is not what a probe shows that the machine itself has held up", () => {
    expect(silenceAfter(28_000, { isFine: false, tookMs: 9_000 })).toBe(28_000);
  });

  it.each([
    [200, false],
    [503, false],
    ["ECONNRESET", false],
    ["EMFILE", false],
    ["EADDRNOTAVAIL", false],
    ["ETIMEDOUT", true],
    ["ECONNREFUSED", true],
  ])("a probe that ends in %s shows it: %s", (answer, shown) => {
    expect(isSilence(answer)).toBe(shown);
  });
});

describe("a program that does not react", () => {
  const silent = {
    reacts: () => Promise.resolve(false),
    hasReacted: () => false,
    mayBeSilent: () => false,
    hungAfterMs: 20,
  };
  const never = new AbortController().signal;

  it("hangs once its start has taken too long, and sooner if it has reacted before", async () => {
    const begun = performance.now();
    expect(await hangs({ ...silent, startLimitMs: 200 }, never)).toBe(true);
    expect(performance.now() - begun).toBeGreaterThan(190);
    const reacted = { ...silent, hasReacted: () => true, startLimitMs: 600_000 };
    expect(await hangs(reacted, never)).toBe(true);
  });

  it("does not hang while it is paused on purpose", async () => {
    let looks = 0;
    const ending = new AbortController();
    const mayBeSilent = (): boolean => {
      looks += 1;
      if (looks === 50) ending.abort();
      return true;
    };
    const paused = { ...silent, mayBeSilent, startLimitMs: 1 };
    expect(await hangs(paused, ending.signal)).toBe(false);
  });
});
