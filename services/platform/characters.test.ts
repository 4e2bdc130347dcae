import { describe, expect, it } from "@jest/globals";
import { countCharacters, hasAtMost, sizeText } from "./characters.ts";

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

it.each([
  [20 * 1_048_576, "20 MiB"],
  [1_048_576, "1 MiB"],
  [20 * 1_048_576 + 131_072, "20608 KiB"],
  [65_536, "64 KiB"],
  [1_500, "1,500 bytes"],
  [0, "0 bytes"],
])("a bound of %d bytes is named as the documentation does", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
