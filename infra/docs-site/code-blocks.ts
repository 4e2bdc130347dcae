import { lexer, walkTokens, type MarkedToken } from "marked";

/** The first line of a code block: its language, and what we write behind it as `name="value"`. */
export interface Fence {
  readonly language: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const ATTRIBUTE = /([a-z-]+)="([^"]*)"/g;

/** Reads `sh not-run="It needs Docker."`; an empty language for a block without one. */
export function readFence(line: string | undefined): Fence {
  const [language = ""] = (line ?? "").split(/\s/, 1);
  const found = [...(line ?? "").matchAll(ATTRIBUTE)];
  return {
    language,
    attributes: Object.fromEntries(found.map(([, name = "", value = ""]) => [name, value])),
  };
}

export interface CodeBlock extends Fence {
  readonly text: string;
}

/** The code blocks of a document, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const found: CodeBlock[] = [];
  void walkTokens(lexer(markdown), (given) => {
    const token = given as MarkedToken;
    if (token.type === "code") found.push({ ...readFence(token.lang), text: token.text });
  });
  return found;
}
