import { lexer, type MarkedToken, type Token } from "marked";

/** A heading with the anchor that links name it by. */
export interface Heading {
  readonly depth: number;
  /** Without markup. */
  readonly text: string;
  readonly anchor: string;
}

/** Words of markup without their marks: `` `a` *b* `` → `a b`. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((given) => {
      const token = given as MarkedToken;
      if ("tokens" in token) return plainText(token.tokens);
      return "text" in token ? token.text : "";
    })
    .join("");
}

/** Gives each heading of a document its anchor, by GitHub's rule, so that one link works on both sides. */
export function createAnchors(): (text: string) => string {
  const seen = new Map<string, number>();
  return (text) => {
    const anchor = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-");
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}

/** The headings of a document, in order. */
export function headingsOf(tokens: readonly Token[]): Heading[] {
  const anchorOf = createAnchors();
  return tokens.flatMap((given) => {
    const token = given as MarkedToken;
    if (token.type !== "heading") return [];
    const text = plainText(token.tokens);
    return [{ depth: token.depth, text, anchor: anchorOf(text) }];
  });
}

/** The anchors of a document's headings, which links may name. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  return new Set(headingsOf(lexer(markdown)).map(({ anchor }) => anchor));
}
