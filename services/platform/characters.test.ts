import { describe, expect, it } from "@jest/globals";
import { countCharacters, hasAtMost } from "./characters.ts";

describe("characters", () => {
  it("are counted as Unicode has them", () => {
    expect(["", "ab", "📞", "a📞"].map(countCharacters)).toEqual([0, 2, 1, 2]);
  });

  it.each([
    ["", 0, true],
    ["ab", 2, true],
    ["abc", 2, false],
    ["📞📞", 2, true],
    ["📞📞📞", 2, false],
    ["a📞", 1, false],
  ])("of %j are at most %d: %s", (text, most, is) => {
    expect(hasAtMost(most, text)).toBe(is);
  });
});
