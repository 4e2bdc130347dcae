import { describe, expect, it } from "@jest/globals";
import { isToBeSmaller, sizeWithin } from "./smaller-photo.ts";

describe("a photo", () => {
  it.each([
    ["IMG_1.jpg", "image/jpeg", 12_000_000, true],
    ["screenshot.png", "image/png", 5_000_000, true],
    ["IMG_1.HEIC", "", 1_000_000, true],
    ["small.jpg", "image/jpeg", 4_000_000, false],
    ["bill.pdf", "application/pdf", 12_000_000, false],
    ["pages-of-a-scanner.tiff", "image/tiff", 12_000_000, false],
  ])("is made smaller, or not: %s", (name, type, size, isSmaller) => {
    expect(isToBeSmaller({ name, type, size })).toBe(isSmaller);
  });

  it("keeps its shape", () => {
    expect(sizeWithin({ width: 4_000, height: 3_000 })).toEqual({ width: 3_200, height: 2_400 });
    expect(sizeWithin({ width: 3_000, height: 6_000 })).toEqual({ width: 1_600, height: 3_200 });
    expect(sizeWithin({ width: 800, height: 600 })).toEqual({ width: 800, height: 600 });
  });
});
