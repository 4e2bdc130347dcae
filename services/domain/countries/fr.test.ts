import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { belongsToNumber, rioOf } from "./fr.ts";

const CHARACTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
const NUMBER = "+33612345678";

const contract = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 9, maxLength: 9 })
  .map((characters) => characters.join(""));

describe("a French RIO", () => {
  /** Keys calculated by the published scripts that operators' sites use, in Python and JavaScript. */
  it.each([
    ["01P123456", NUMBER, "36Q"],
    ["01P123456", "+33142345143", "O4B"],
  ])("of %s and %s has the key %s", (of, number, key) => {
    expect(rioOf(of, number)).toBe(of + key);
    expect(belongsToNumber(of + key, number)).toBe(true);
  });

  it("belongs to its own number alone, and to none abroad", () => {
    const rio = rioOf("03E9A8B7C", NUMBER);
    expect(belongsToNumber(rio, "+33612345679")).toBe(false);
    expect(belongsToNumber(rio, "+32612345678")).toBe(false);
    expect(belongsToNumber(rio, "+442079460000")).toBe(false);
  });

  it("detects every single wrong character", () => {
    fc.assert(
      fc.property(contract, fc.nat(11), fc.constantFrom(...CHARACTERS), (of, at, wrong) => {
        const rio = rioOf(of, NUMBER);
        fc.pre(rio.charAt(at) !== wrong);
        return !belongsToNumber(rio.slice(0, at) + wrong + rio.slice(at + 1), NUMBER);
      }),
    );
  });

  it("detects two neighbouring characters that changed places", () => {
    fc.assert(
      fc.property(contract, fc.nat(7), (of, at) => {
        const rio = rioOf(of, NUMBER);
        fc.pre(rio.charAt(at) !== rio.charAt(at + 1));
        const swapped = rio.charAt(at + 1) + rio.charAt(at);
        return !belongsToNumber(rio.slice(0, at) + swapped + rio.slice(at + 2), NUMBER);
      }),
    );
  });
});
