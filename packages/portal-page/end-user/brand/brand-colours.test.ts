import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { brandColours, contrastOf } from "./brand-colours.ts";

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("a customer's colour", () => {
  it("leaves every text readable, whatever it is", () => {
    fc.assert(
      fc.property(colours, (colour) => {
        const { fill, fillHover, textOnLight, textOnDark } = brandColours(colour);
        expect(contrastOf(fill, "#ffffff")).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(fillHover, "#ffffff")).toBeGreaterThanOrEqual(4.5);
        for (const surface of ["#ffffff", "#f4f6f9", "#e4edfd"]) {
          expect(contrastOf(textOnLight, surface)).toBeGreaterThanOrEqual(4.5);
        }
        for (const surface of ["#101318", "#181c23", "#222833"]) {
          expect(contrastOf(textOnDark, surface)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it("stays as it is where it is readable", () => {
    expect(brandColours("#0a4b8f").fill).toBe("#0a4b8f");
    expect(brandColours("#ffee00").textOnDark).toBe("#ffee00");
    expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
  });
});
