import { describe, expect, it } from "@jest/globals";
import { findInText } from "./find-in-text.ts";

/** What stands between the first and the last character of each match. */
function found(pieces: readonly string[], value: string): string[] {
  return findInText(pieces, value).map(({ first, last }) => {
    const text = pieces.slice(first.piece, last.piece + 1);
    const end = text.length - 1;
    return text
      .map((piece, n) =>
        piece.slice(n === 0 ? first.offset : 0, n === end ? last.offset + 1 : undefined),
      )
      .join("|");
  });
}

describe("findInText", () => {
  it("finds a value whatever its case, spaces, punctuation and accents", () => {
    expect(found(["Name: ACMÉ  Holdings, L.L.C."], "Acme Holdings LLC")).toEqual([
      "ACMÉ  Holdings, L.L.C",
    ]);
    expect(found(["Ad: KILIÇ"], "Kılıç")).toEqual(["KILIÇ"]);
    expect(found(["No. 8772 114-90210 of May"], "8772-114-90210")).toEqual(["8772 114-90210"]);
  });

  it("finds a phone number as it is written nationally", () => {
    expect(found(["Call (212) 555-0123 now"], "+12125550123")).toEqual(["212) 555-0123"]);
    expect(found(["Tel. 020 7946 0018"], "+442079460018")).toEqual(["20 7946 0018"]);
    expect(found(["Tel. +44 20 7946 0018"], "+442079460018")).toEqual(["44 20 7946 0018"]);
  });

  it("finds every place, also one that goes over several pieces", () => {
    expect(found(["Acme", " LLC and Acme LLC"], "Acme LLC")).toEqual(["Acme| LLC", "Acme LLC"]);
  });

  it("finds nothing where there is nothing, and no single character", () => {
    expect(found(["Acme"], "Initech")).toEqual([]);
    expect(found(["Acme"], "a")).toEqual([]);
    expect(found(["Acme"], "****")).toEqual([]);
    expect(found([], "Acme")).toEqual([]);
  });
});
