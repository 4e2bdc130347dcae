/** A piece of text, and whether it is one of the words that were searched for. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

const BEFORE = 40;
const LENGTH = 160;

/** The part of a text around the first of the terms, in pieces. */
export function snippetOf(text: string, terms: readonly string[]): Piece[] {
  const found = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0);
  const first = found.length === 0 ? 0 : Math.min(...found);
  const start = first <= BEFORE ? 0 : text.lastIndexOf(" ", first - BEFORE) + 1;
  const part = text.slice(start, start + LENGTH);
  const shown = `${start > 0 ? "… " : ""}${part}${start + LENGTH < text.length ? " …" : ""}`;
  return piecesOf(shown, terms);
}

/** A text cut at the terms in it; terms are in lower case. */
export function piecesOf(text: string, terms: readonly string[]): Piece[] {
  if (terms.length === 0) return [{ text, isMatch: false }];
  const longestFirst = terms.toSorted((a, b) => b.length - a.length);
  const pattern = longestFirst.map((term) => term.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&")).join("|");
  return text
    .split(new RegExp(`(${pattern})`, "i"))
    .map((piece, n) => ({ text: piece, isMatch: n % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
