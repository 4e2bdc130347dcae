import { afterEach, describe, expect, it } from "@jest/globals";
import { piecesOf, SearchIndex, snippetOf } from "./search-index.ts";

const SECTIONS = [
  { id: "/docs/a#rotate", page: "A", heading: "Rotate a secret", text: "Both sign." },
  { id: "/docs/b", page: "B", heading: "B", text: "Another page." },
];

const { fetch } = globalThis;
afterEach(() => {
  globalThis.fetch = fetch;
});

/** Each of the answers once, the last for good; returns how often it was asked. */
function answerWith(...answers: readonly (() => Response)[]): () => number {
  let asked = 0;
  globalThis.fetch = () => {
    const answer = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return answer === undefined
      ? Promise.reject(new TypeError("offline"))
      : Promise.resolve(answer());
  };
  return () => asked;
}

const ok = (): Response => Response.json(SECTIONS);

describe("the index of the search", () => {
  it("is fetched once, and finds a section by its heading", async () => {
    const asked = answerWith(ok);
    const index = new SearchIndex("/docs/assets/search.json");
    expect((await index.find("rotate secrt")).map(({ id }) => id)).toEqual(["/docs/a#rotate"]);
    expect(await index.find("none")).toEqual([]);
    expect(asked()).toBe(1);
  });

  it("finds a guide before what operators read of the same", async () => {
    const same = { page: "Retries", heading: "Retries", text: "When a delivery is tried again." };
    const sections = ["/docs/operations#retries", "/docs/guides/webhooks#retries"];
    answerWith(() => Response.json(sections.map((id) => ({ id, ...same }))));
    const found = await new SearchIndex("/docs/assets/search.json").find("retries");
    expect(found.map(({ id }) => id)).toEqual(sections.toReversed());
  });

  it.each([
    ["could not be reached", () => Response.error()],
    ["was refused", () => new Response("Too many", { status: 429 })],
  ])("is fetched again where the first time it %s", async (_, fault) => {
    const asked = answerWith(fault, ok);
    const index = new SearchIndex("/docs/assets/search.json");
    await expect(index.find("rotate")).rejects.toThrow("/docs/assets/search.json");
    expect(await index.find("rotate")).toHaveLength(1);
    expect(asked()).toBe(2);
  });
});

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
