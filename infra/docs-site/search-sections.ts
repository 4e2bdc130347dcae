import type { MarkedToken, Token } from "marked";
import { readFence } from "./fence.ts";
import { createAnchors, plainText } from "./headings.ts";

/** What a search finds: the part of a page below one heading. */
export interface SearchSection {
  readonly id: string;
  /** The title of the page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

interface Part {
  heading: string;
  anchor: string;
  texts: string[];
}

/** The sections of a page; the id of each is its URL. */
export function searchSections(
  page: { readonly title: string; readonly url: string },
  tokens: readonly Token[],
): SearchSection[] {
  const anchorOf = createAnchors();
  const parts: Part[] = [];
  for (const given of tokens) {
    const token = given as MarkedToken;
    if (token.type === "heading") {
      const heading = plainText(token.tokens);
      parts.push({ heading, anchor: anchorOf(heading), texts: [] });
    } else parts.at(-1)?.texts.push(blockText(token));
  }
  return parts.map(({ heading, anchor, texts }, n) => ({
    id: n === 0 ? page.url : `${page.url}#${anchor}`,
    page: page.title,
    heading,
    text: texts.join(" ").replaceAll(/\s+/g, " ").trim(),
  }));
}

function blockText(given: Token): string {
  const token = given as MarkedToken;
  if (token.type === "html") return "";
  // What is folded away is reference for programs, which would be found by every word.
  if (token.type === "code" && "folded" in readFence(token.lang).attributes) return "";
  if (token.type === "list") {
    return token.items.flatMap(({ tokens }) => tokens.map(blockText)).join(" ");
  }
  if (token.type === "table") {
    const cells = [...token.header, ...token.rows.flat()];
    return cells.map(({ tokens }) => plainText(tokens)).join(" ");
  }
  return plainText([token]);
}
