import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { faultText } from "./fault-text.ts";
import { textUpTo } from "./fields.ts";

const textOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value, { error: faultText }).error?.issues.map(({ message }) => message) ?? [];

describe("the text of a fault", () => {
  it.each([
    [z.string(), null, "It must be a string."],
    [z.int(), 1.5, "It must be a whole number."],
    [z.boolean(), "true", "It must be true or false."],
    [z.strictObject({}), [], "It must be an object."],
    [z.array(z.string()), {}, "It must be an array."],
    [z.string().min(1), "", "It must not be empty."],
    [z.string().min(2), "a", "It must have at least 2 characters."],
    [z.string().max(2), "abc", "It must have at most 2 characters."],
    [textUpTo(2), "📞📞📞", "It must have at most 2 characters."],
    [z.array(z.int()).min(1), [], "It must not be empty."],
    [z.array(z.int()).max(2), [1, 2, 3], "It must have at most 2 entries."],
    [z.int().min(1), 0, "It must be 1 or more."],
    [z.int().max(250), 251, "It must be 250 or less."],
    [z.number().gt(0), 0, "It must be more than 0."],
    [z.number().lt(9), 9, "It must be less than 9."],
    [z.enum(["asc", "desc"]), "up", "It must be one of asc, desc."],
    [z.literal(true), false, "It must be true."],
    [z.uuid(), "x", "It must be a UUID."],
    [z.iso.datetime({ offset: true }), "2026-12-01", /^It must be a time with an offset, such as/],
    [z.string().regex(/^[A-Z]{2}$/), "usa", "It has the wrong format."],
    [z.union([z.int(), z.boolean()]), "x", "It does not match any of the allowed forms."],
  ])("%# is a readable sentence", (schema, value, text) => {
    expect(textOf(schema, value)).toEqual([
      typeof text === "string" ? text : expect.stringMatching(text),
    ]);
  });

  it("keeps a schema's own message", () => {
    expect(textOf(z.string().regex(/^\d+$/, "It must be digits."), "x")).toEqual([
      "It must be digits.",
    ]);
  });
});
