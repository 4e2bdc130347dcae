import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { textUpTo } from "./fields.ts";
import { faultText, findBodyFaults, toPointer } from "./find-faults.ts";

const schema = z.strictObject({
  events: z.array(z.enum(["a", "b"])).max(3),
  name: z.string().min(1).max(3).optional(),
  count: z.int().min(1).max(9).optional(),
  number: z
    .string()
    .refine((text) => text.startsWith("+"), {
      params: { code: "invalid_number" },
      error: "Not a number in E.164",
    })
    .optional(),
  address: z.strictObject({ "a/b~c": z.string() }).nullable().optional(),
  target: z.union([z.strictObject({ url: z.url() }), z.null()]).optional(),
});

function faultsOf(body: unknown) {
  const { error } = schema.safeParse(body);
  return error === undefined ? [] : findBodyFaults(error, body);
}

describe("findBodyFaults", () => {
  it.each([
    [{}, "#/events", "required"],
    [{ events: ["a", "b", "c"] }, "#/events/2", "invalid_value"],
    [{ events: ["a", "a", "a", "a"] }, "#/events", "too_many"],
    [{ events: [], name: "" }, "#/name", "too_short"],
    [{ events: [], name: "long" }, "#/name", "too_long"],
    [{ events: [], name: null }, "#/name", "invalid_type"],
    [{ events: [], count: 0 }, "#/count", "too_small"],
    [{ events: [], count: 10 }, "#/count", "too_large"],
    [{ events: [], count: 1.5 }, "#/count", "invalid_type"],
    [{ events: [], count: Infinity }, "#/count", "invalid_type"],
    [{ events: [], number: "1" }, "#/number", "invalid_number"],
    [{ events: [], colour: 1 }, "#/colour", "unknown_property"],
    [{ events: [], address: {} }, "#/address/a~1b~0c", "required"],
    [{ events: [], target: { url: "x" } }, "#/target/url", "invalid_format"],
    [{ events: [], target: 1 }, "#/target", "invalid_value"],
    [[], "#", "invalid_type"],
    [null, "#", "invalid_type"],
  ])("%j", (body, pointer, code) => {
    expect(faultsOf(body)).toMatchObject([{ pointer, code }]);
  });

  it("reports every fault at once, one per unknown property", () => {
    const body: unknown = JSON.parse('{"name":1,"__proto__":1,"constructor":2}');
    expect(faultsOf(body).map(({ pointer }) => pointer)).toEqual([
      "#/events",
      "#/name",
      "#/__proto__",
      "#/constructor",
    ]);
  });

  it("never makes the response much larger than the request", () => {
    const body = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 1]));
    expect(faultsOf(body)).toHaveLength(2_000);
  });
});

describe("toPointer", () => {
  it("is a JSON pointer in a URI fragment", () => {
    expect(toPointer(["a b", 0, "ü/%"])).toBe("#/a%20b/0/%C3%BC~1%25");
  });
});

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
