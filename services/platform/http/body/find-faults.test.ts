import { describe, expect, it } from "@jest/globals";
import { z } from "zod";

import { findBodyFaults, toPointer } from "./find-faults.ts";

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
