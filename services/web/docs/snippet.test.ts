import { describe, expect, it } from "@jest/globals";
import { piecesOf, snippetOf } from "./snippet.ts";

const shown = (text: string, terms: string[]): string =>
  snippetOf(text, terms)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join("");

describe("a snippet", () => {
  it("is a short text as a whole, with the words that were found", () => {
    expect(shown("Rotate a Secret.", ["secret", "rotate"])).toBe("[Rotate] a [Secret].");
    expect(shown("Rotate a secret.", [])).toBe("Rotate a secret.");
  });

  it("begins at a word before the first match of a long text", () => {
    const text = `${"before ".repeat(30)}the secret ${"after ".repeat(60)}`;
    expect(shown(text, ["secret"])).toMatch(/^… (?:before )+the \[secret\] (?:after )+.* …$/);
    expect(shown(text, ["secret"]).length).toBeLessThan(200);
  });

  it("takes signs for what they are", () => {
    const pieces = piecesOf("a.b axb", ["a.b"]);
    expect(pieces.filter(({ isMatch }) => isMatch).map(({ text }) => text)).toEqual(["a.b"]);
  });
});
