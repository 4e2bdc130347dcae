import { describe, expect, it } from "@jest/globals";

import { parseJson } from "./parse-json.ts";

const parse = (text: string) => parseJson(Buffer.from(text));
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("parseJson", () => {
  it.each([
    ['{"a":[1,"é",null]}', { a: [1, "é", null] }],
    ['{"a":"\\ud83d\\ude00"}', { a: "😀" }],
    ['{"a":"[[[{{{\\"[["}', { a: '[[[{{{"[[' }],
    ["-0", -0],
  ])("reads %s", (text, value) => {
    expect(parse(text)).toEqual(value);
  });

  it("accepts 32 levels and refuses the 33rd, however many there are", () => {
    expect(() => parse(nested(32))).not.toThrow();
    expect(() => parse(`[${nested(31)},${nested(31)}]`)).not.toThrow();
    for (const depth of [33, 500_000]) expect(() => parse(nested(depth))).toThrow("deeper than 32");
  });

  it.each([
    ["a NUL in a string", '["\\u0000"]'],
    ["a NUL in a key", '{"\\u0000":1}'],
    ["a lone surrogate", '{"a":{"b":"x\\udc00"}}'],
    ["a raw control character", '["\n"]'],
    ["trailing text", "{} {}"],
    ["nothing but space", " "],
  ])("refuses %s", (_, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "malformed_json" }));
  });

  it("keeps __proto__ an ordinary key", () => {
    const value = parse('{"__proto__":{"polluted":true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });
});
