import avro from "avsc";
import { describe, expect, it } from "@jest/globals";
import { cpuMsOf } from "../../../test/support/cpu-ms.ts";
import { createAvroRecord } from "./avro-record.ts";
import type { AvroRecordSchema } from "./schema.ts";

const ours = createAvroRecord({
  type: "record",
  name: "Parcel",
  fields: [{ name: "note", type: "string" }],
});
const NOTE = { name: "note", type: "string" };
const EMPTY_NOTE = [0];

/** A schema of somebody else's, which may have what ours never have. */
function foreign(...fields: readonly object[]): AvroRecordSchema {
  return { type: "record", name: "Parcel", fields } as unknown as AvroRecordSchema;
}

function valueOf(...bytes: readonly number[]): Buffer {
  return Buffer.from([0, 0, 0, 0, 1, ...bytes]);
}

function varLong(given: number): number[] {
  const type = avro.Type.forSchema("long");
  return [...type.toBuffer(given)];
}

const undecodable = expect.objectContaining({ code: "undecodable" });
const HUGE = varLong(2 ** 52);
const ARRAY_OF_NULL = { type: "array", items: "null" };

describe("what a schema of somebody else's may cost", () => {
  it.each([
    ["a map", { type: "map", values: "null" }, HUGE],
    ["a map in a sized block", { type: "map", values: "long" }, [...varLong(-(2 ** 52)), 2]],
    ["an array of nothing", ARRAY_OF_NULL, HUGE],
    ["an array in a sized block", ARRAY_OF_NULL, [...varLong(-(2 ** 52)), 2]],
  ])("is not what %s claims", (_, type, length) => {
    const read = ours.readerOf(foreign({ name: "more", type }, NOTE));
    expect(() => read(valueOf(...length))).toThrow(undecodable);
  });

  it("is not the product of blocks without bytes, one after the other or in each other", async () => {
    const claims = Array.from({ length: 20_000 }, () => varLong(30_000)).flat();
    const blocks = ours.readerOf(foreign({ name: "more", type: ARRAY_OF_NULL }, NOTE));
    const nested = { type: "array", items: ARRAY_OF_NULL };
    const arrays = ours.readerOf(foreign({ name: "more", type: nested }, NOTE));
    const inner = Array.from({ length: 20_000 }, () => [...varLong(30_000), 0]).flat();
    for (const [read, bytes] of [
      [blocks, [...claims, 0]],
      [arrays, [...varLong(20_000), ...inner, 0]],
    ] as const) {
      const value = valueOf(...bytes, ...EMPTY_NOTE);
      const cpuMs = await cpuMsOf(() => expect(() => read(value)).toThrow(undecodable));
      expect(cpuMs).toBeLessThan(500);
    }
  });

  it("is not the steps of records that are in each other and have no bytes", () => {
    const last = { type: "record", name: "R0", fields: [] };
    let type: object = last;
    for (let n = 1; n < 40; n += 1) {
      const below = `R${n - 1}`;
      const fields = [
        { name: "a", type },
        { name: "b", type: below },
      ];
      type = { type: "record", name: `R${n}`, fields };
    }
    for (const field of [type, { type: "array", items: type }, ["null", type]]) {
      const read = ours.readerOf(foreign({ name: "more", type: field, default: null }, NOTE));
      expect(() => read(valueOf(...EMPTY_NOTE))).toThrow(undecodable);
    }
  });

  it("is not that of a record in itself", () => {
    const type = { type: "record", name: "R", fields: [{ name: "r", type: "R" }] };
    const read = ours.readerOf(foreign({ name: "more", type }, NOTE));
    expect(() => read(valueOf(...EMPTY_NOTE))).toThrow(undecodable);
  });

  it("is fine for maps, arrays, unions and records as others have them", () => {
    const point = {
      type: "record",
      name: "Point",
      fields: [
        { name: "at", type: { type: "long", logicalType: "timestamp-millis" } },
        { name: "next", type: ["null", "Point"], default: null },
      ],
    };
    const schema = foreign(
      { name: "tags", type: { type: "map", values: "string" } },
      { name: "points", type: { type: "array", items: point } },
      { name: "nothing", type: ARRAY_OF_NULL },
      NOTE,
    );
    const writer = avro.Type.forSchema(structuredClone(schema) as unknown as avro.Schema);
    const points = [{ at: 1, next: { at: 2, next: null } }];
    const body = writer.toBuffer({
      ...{ tags: { a: "b", c: "d" }, points, nothing: [null, null] },
      note: "fragile",
    });
    expect(ours.readerOf(schema)(valueOf(...body))).toEqual({ note: "fragile" });
  });
});
