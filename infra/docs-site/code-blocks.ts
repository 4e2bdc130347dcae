import { lexer, walkTokens, type MarkedToken } from "marked";
import { readFence, type Fence } from "./fence.ts";

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
