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
    ["a byte order mark", '\ufeff{"a":1}'],
    ["a property that comes twice", '{"a":[{"b":1,"c":{},"b":2}]}'],
    ["one that an escape writes another way", '{"a":1,"\\u0061":2}'],
  ])("refuses %s", (_, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: "malformed_json" }));
  });

  it.each([
    ['{"a":}', "line 1, column 6"],
    ['{"a":1,}', "line 1, column 8"],
    ['{"a" 1}', "line 1, column 6"],
    ['{\n  "a": "x]:,\\"[",\n  "b": tru, "c": []}', "line 3, column 8"],
    ['{"a":{}, "b":[[],-1.5e3,true,null], "c":+1}', "line 1, column 41"],
    ["[1,,2]", "line 1, column 4"],
    ["[,]", "line 1, column 2"],
    ["{'a':1}", "line 1, column 2"],
    ['{"a":01}', "line 1, column 7"],
    ["[1,2", "line 1, column 5"],
    ['["a', "line 1, column 4"],
    [" ", "line 1, column 2"],
    ["{} {}", "line 1, column 4"],
    ["undefined", "line 1, column 1"],
    ["[1, nul", "line 1, column 5"],
  ])("tells where %j is none, and nothing of what it holds", (text, place) => {
    expect(() => parse(text)).toThrow(`The body is not valid JSON at ${place}.`);
  });

  it("takes 10,000 properties or entries and refuses more before it builds them", () => {
    const properties = (count: number) =>
      `{${Array.from({ length: count }, (_, n) => `"k${n}":{}`).join(",")}}`;
    const entries = (count: number) => `[${Array<number>(count).fill(0).join(",")}]`;
    for (const text of [properties(10_000), entries(10_000)])
      expect(() => parse(text)).not.toThrow();
    for (const text of [properties(10_001), entries(10_002)]) {
      expect(() => parse(text)).toThrow(
        expect.objectContaining({
          code: "payload_too_large",
          message: "The body has more than 10,000 values.",
        }),
      );
    }
  });

  it("keeps __proto__ an ordinary key", () => {
    const value = parse('{"__proto__":{"polluted":true}}');
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect({}).not.toHaveProperty("polluted");
  });
});
