import { describe, expect, it } from "@jest/globals";
import { incompatibilities } from "./compatibility.ts";
import type { AvroField, AvroRecordSchema } from "./schema.ts";

function recordSchema(...fields: AvroField[]): AvroRecordSchema {
  return { type: "record", name: "Parcel", fields };
}

function kind(symbols: readonly string[], fallback?: string): AvroField {
  const type = { type: "enum", name: "Kind", symbols } as const;
  return { name: "kind", type: fallback === undefined ? type : { ...type, default: fallback } };
}

const ID: AvroField = { name: "id", type: "string" };

describe("incompatibilities", () => {
  it.each<[string, AvroRecordSchema, AvroRecordSchema]>([
    ["the same schema", recordSchema(ID), recordSchema(ID)],
    [
      "an added nullable field",
      recordSchema(ID),
      recordSchema(ID, { name: "note", type: ["null", "string"], default: null }),
    ],
    [
      "an added symbol, with a default",
      recordSchema(kind(["other", "a"], "other")),
      recordSchema(kind(["other", "a", "b"], "other")),
    ],
    [
      "an added symbol in a nullable enum",
      recordSchema({ name: "k", type: ["null", kind(["other"], "other").type], default: null }),
      recordSchema({
        name: "k",
        type: ["null", kind(["other", "b"], "other").type],
        default: null,
      }),
    ],
  ])("allow %s", (_what, one, other) => {
    expect(incompatibilities(one, other)).toEqual([]);
  });

  it.each<[string, AvroRecordSchema, AvroRecordSchema]>([
    [
      "an added field without a default",
      recordSchema(ID),
      recordSchema(ID, { name: "x", type: "int" }),
    ],
    ["another type", recordSchema(ID), recordSchema({ name: "id", type: "long" })],
    [
      "a wider type, which the older reader cannot read",
      recordSchema({ name: "n", type: "int" }),
      recordSchema({ name: "n", type: "long" }),
    ],
    [
      "a field that became nullable",
      recordSchema(ID),
      recordSchema({ name: "id", type: ["null", "string"], default: null }),
    ],
    [
      "an added symbol without a default",
      recordSchema(kind(["a"])),
      recordSchema(kind(["a", "b"])),
    ],
    ["another name", recordSchema(ID), { ...recordSchema(ID), name: "Letter" }],
  ])("report %s, in either order", (_what, one, other) => {
    expect(incompatibilities(one, other)).not.toEqual([]);
    expect(incompatibilities(other, one)).not.toEqual([]);
  });
});
