import { describe, expect, it } from "@jest/globals";
import { silenceAfter } from "./hang-watch.ts";
import { isSilence } from "./http-status.ts";

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
