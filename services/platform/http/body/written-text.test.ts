import { describe, expect, it } from "@jest/globals";
import { writtenText } from "./fields.ts";

const text = writtenText(5);

describe("a written text", () => {
  it.each(["a", " a ", "😀😀😀😀😀", "é\u0301"])("may be %j", (value) => {
    expect(text.parse(value)).toBe(value.trim());
  });

  it.each(["\u200b", "\u00ad\u2060", "\u3164", "\u202e", "\ufeff"])(
    "is refused where nobody sees any of it: %j",
    (value) => {
      expect(text.safeParse(value).success).toBe(false);
    },
  );

  it.each(["\u202e", "\u2066", "\u200f"])("is refused where %j turns it around", (mark) => {
    expect(text.safeParse(`a${mark}b`).error?.issues).toMatchObject([
      { params: { code: "invalid_characters" } },
    ]);
  });

  it("has one fault where it is blank", () => {
    expect(text.safeParse("   ").error?.issues).toHaveLength(1);
    expect(text.safeParse("\u200b").error?.issues).toMatchObject([
      { message: "It must not be blank." },
    ]);
  });
});
