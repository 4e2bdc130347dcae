import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isSiret, isSpanishTaxId } from "./check-digits.ts";

const digits = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^\\d{${length}}$`));

const LETTERS = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const DIGITS = Array.from("0123456789");

/** The check characters that complete a valid code. */
function completions(
  start: string,
  characters: readonly string[],
  isValid: (code: string) => boolean,
): string[] {
  return characters.filter((character) => isValid(start + character));
}

describe("a SIRET", () => {
  it.each(["73282932000074", "55210055400013", "35600000000048", "35600000049837"])(
    "%s is valid",
    (siret) => {
      expect(isSiret(siret)).toBe(true);
    },
  );

  it("has exactly one check digit for the digits before it", () => {
    fc.assert(
      fc.property(
        digits(13).filter((start) => !start.startsWith("356000000")),
        (start) => completions(start, DIGITS, isSiret).length === 1,
      ),
    );
  });

  it("detects every single wrong digit", () => {
    fc.assert(
      fc.property(digits(13), fc.nat(13), fc.integer({ min: 1, max: 9 }), (start, at, by) => {
        fc.pre(!start.startsWith("356000000"));
        const siret = start + (completions(start, DIGITS, isSiret)[0] ?? "");
        const wrong = (Number(siret.charAt(at)) + by) % 10;
        const changed = siret.slice(0, at) + String(wrong) + siret.slice(at + 1);
        fc.pre(!changed.startsWith("356000000"));
        return isSiret(siret) && !isSiret(changed);
      }),
    );
  });

  it("of La Poste is valid if its digits add up to a multiple of five", () => {
    fc.assert(
      fc.property(digits(4), (start) => {
        const found = completions(`356000000${start}`, DIGITS, isSiret).map(Number);
        const sum = 14 + Array.from(start, Number).reduce((a, b) => a + b, 0);
        const byFive = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((digit) => (sum + digit) % 5 === 0);
        return byFive.every((digit) => found.includes(digit));
      }),
    );
  });
});

describe("a Spanish tax id", () => {
  it.each(["12345678Z", "00000000T", "X1234567L", "Y1234567X", "Z1234567R", "K1234567L"])(
    "%s of a person is valid",
    (id) => {
      expect(isSpanishTaxId(id)).toBe(true);
    },
  );

  it.each(["A58818501", "B12345674", "Q2826000H", "G12345674", "P2807900B", "J1234567D"])(
    "%s of an entity is valid",
    (id) => {
      expect(isSpanishTaxId(id)).toBe(true);
    },
  );

  it.each(["12345678A", "X1234567Z", "A58818502", "B1234567D", "Q28260008", "K12345674"])(
    "%s is not valid",
    (id) => {
      expect(isSpanishTaxId(id)).toBe(false);
    },
  );

  it("of a person has one check letter for every number, and none of I, Ñ, O, U", () => {
    fc.assert(
      fc.property(fc.constantFrom("", "X", "Y", "Z", "K", "L", "M"), digits(8), (kind, number) => {
        const start = kind === "" ? number : kind + number.slice(1);
        const found = completions(start, [...LETTERS, ...DIGITS], isSpanishTaxId);
        return found.length === 1 && !/[IOU\d]/.test(found.join(""));
      }),
    );
  });

  it("of an entity ends in a digit, a letter or either, depending on its kind", () => {
    const endings = (kind: string, number: string): number =>
      completions(kind + number, [...LETTERS, ...DIGITS], isSpanishTaxId).length;
    fc.assert(
      fc.property(digits(7), (number) => {
        for (const kind of "ABEHNPQRSW") expect(endings(kind, number)).toBe(1);
        for (const kind of "CDFGJUV") expect(endings(kind, number)).toBe(2);
      }),
    );
  });

  it("of an entity detects every single wrong digit", () => {
    fc.assert(
      fc.property(digits(7), fc.nat(6), fc.integer({ min: 1, max: 9 }), (number, at, by) => {
        const check = completions(`B${number}`, DIGITS, isSpanishTaxId)[0] ?? "";
        const wrong = (Number(number.charAt(at)) + by) % 10;
        return !isSpanishTaxId(
          `B${number.slice(0, at)}${String(wrong)}${number.slice(at + 1)}${check}`,
        );
      }),
    );
  });
});
