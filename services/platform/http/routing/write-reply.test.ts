import { describe, expect, it } from "@jest/globals";
import { jsonPieces } from "./write-reply.ts";

const entries = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: n, text: "é".repeat(100) }));

describe("the JSON of a body in pieces", () => {
  it.each([
    ["an object", { a: 1, data: 2 }],
    ["null", null],
    ["text", "a"],
    ["an empty list", { data: [], has_more: false }],
    ["a list of one", { data: [{ a: [1] }], has_more: true }],
    ["a list with nothing else", { data: entries(2) }],
    ["a list whose data is not its first field", { batch_id: "b", data: entries(2_000) }],
    ["a long list", { data: entries(2_000), has_more: true, counts: { all: 2 } }],
  ])("is what JSON.stringify makes of %s", (_, body) => {
    expect([...jsonPieces(body)].join("")).toBe(JSON.stringify(body));
  });

  it("is one piece for a short list and several for a long one, of which none is large", () => {
    expect([...jsonPieces({ data: entries(100), has_more: false })]).toHaveLength(1);
    const pieces = [...jsonPieces({ data: entries(2_000), has_more: false })];
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  });
});
