import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { AppError } from "../errors.ts";
import { createAvroRecord, HEADER_LENGTH, readSchemaId, writeHeader } from "./avro-record.ts";
import type { AvroField, AvroRecordSchema } from "./schema.ts";

const KIND: AvroField = {
  name: "kind",
  type: {
    type: "enum",
    name: "Kind",
    symbols: ["unrecognized", "opened"],
    default: "unrecognized",
  },
};
const TAGS: AvroField = { name: "tags", type: { type: "array", items: "string" } };
const NOTE: AvroField = { name: "note", type: ["null", "string"], default: null };

function recordSchema(...fields: AvroField[]): AvroRecordSchema {
  return { type: "record", name: "Parcel", namespace: "example", fields };
}

const GROWN_KIND: AvroField = {
  ...KIND,
  type: {
    type: "enum",
    name: "Kind",
    symbols: ["unrecognized", "opened", "lost"],
    default: "unrecognized",
  },
};

const parcel = createAvroRecord(recordSchema(KIND, TAGS, NOTE));
const message = { kind: "opened", tags: ["a", "b"], note: "fragile" };

describe("createAvroRecord", () => {
  it("writes a zero, the schema's id in four bytes, then the Avro body", () => {
    const value = parcel.write({ kind: "opened", tags: [], note: null }, 0x01020304);
    expect([...value]).toEqual([0, 1, 2, 3, 4, 2, 0, 0]);
    expect(readSchemaId(value)).toBe(0x01020304);
  });

  it("reads what it wrote, whatever its length", () => {
    const long = { ...message, note: "x".repeat(300_000) };
    expect(parcel.read(parcel.write(message, 1))).toEqual(message);
    expect(parcel.read(parcel.write(long, 1))).toEqual(long);
    expect(parcel.read(parcel.write(message, 1))).toEqual(message);
  });

  it("gives every value its own bytes", () => {
    const first = parcel.write(message, 1);
    parcel.write({ ...message, note: "another" }, 1);
    expect(parcel.read(first)).toEqual(message);
  });

  it("writes null for a nullable field that is left out", () => {
    const value = parcel.write({ kind: "opened", tags: [] }, 1);
    expect(parcel.read(value)).toEqual({ kind: "opened", tags: [], note: null });
  });

  it("names the field that does not fit, without its value", () => {
    const misfit = { kind: "opened", tags: ["ok", 4711], note: null };
    expect(() => parcel.write(misfit, 1)).toThrow(
      "the message does not fit example.Parcel at tags.1",
    );
  });

  it("refuses bytes left over and bytes missing", () => {
    const value = parcel.write(message, 1);
    const undecodable = expect.objectContaining({ code: "undecodable" });
    expect(() => parcel.read(Buffer.concat([value, Buffer.of(0)]))).toThrow(undecodable);
    for (let length = HEADER_LENGTH; length < value.length; length += 1) {
      expect(() => parcel.read(value.subarray(0, length))).toThrow(undecodable);
    }
  });

  it("refuses a symbol that the writer's own schema does not have", () => {
    const value = Buffer.of(0, 0, 0, 0, 1, 40, 0, 0);
    expect(() => parcel.read(value)).toThrow(expect.objectContaining({ code: "undecodable" }));
  });

  it.each([
    ["positive", [0xfe, 0xff, 0xff, 0xff, 0xff, 0x1f]],
    ["negative", [0xfd, 0xff, 0xff, 0xff, 0xff, 0x1f, 0x02]],
    ["beyond all numbers", [...Array<number>(200).fill(0xff), 0x01]],
  ])("refuses at once an array that claims billions of items (%s)", (_sign, length) => {
    const withTags = createAvroRecord(recordSchema(TAGS));
    const withoutTags = createAvroRecord(recordSchema(NOTE));
    const value = Buffer.of(0, 0, 0, 0, 1, ...length);
    const skipping = withoutTags.readerOf(recordSchema(TAGS));
    expect(() => withTags.read(value)).toThrow(expect.objectContaining({ code: "undecodable" }));
    expect(() => skipping(value)).toThrow(expect.objectContaining({ code: "undecodable" }));
  });

  it("reads arrays in several blocks, including sized ones", () => {
    const withTags = createAvroRecord(recordSchema(TAGS));
    const blocks = [2, 2, 0x61, 1, 4, 2, 0x62, 0];
    expect(withTags.read(Buffer.of(0, 0, 0, 0, 1, ...blocks))).toEqual({ tags: ["a", "b"] });
  });

  it("decodes any bytes to a message or throws undecodable", () => {
    const foreign = parcel.readerOf(recordSchema(NOTE, TAGS, GROWN_KIND));
    const bytes = fc.uint8Array({ maxLength: 64 });
    fc.assert(
      fc.property(bytes, fc.constantFrom(parcel.read, foreign), (body, read) => {
        const value = Buffer.concat([Buffer.of(0, 0, 0, 0, 1), body]);
        try {
          read(value);
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== "undecodable") throw error;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("readerOf", () => {
  it("reads an unknown symbol as unrecognized", () => {
    const grown = createAvroRecord(recordSchema(GROWN_KIND, TAGS, NOTE));
    const read = parcel.readerOf(recordSchema(GROWN_KIND, TAGS, NOTE));
    const value = grown.write({ kind: "lost", tags: [], note: null }, 2);
    expect(read(value)).toMatchObject({ kind: "unrecognized" });
  });

  it("omits unknown fields, and fills in those that the writer lacked", () => {
    const older = createAvroRecord(recordSchema(KIND, TAGS));
    const value = parcel.write(message, 1);
    expect(older.readerOf(recordSchema(KIND, TAGS, NOTE))(value)).toEqual({
      kind: "opened",
      tags: ["a", "b"],
    });
    const old = older.write({ kind: "opened", tags: [] }, 3);
    expect(parcel.readerOf(recordSchema(KIND, TAGS))(old)).toMatchObject({ note: null });
  });

  it("refuses a record of another type", () => {
    const read = parcel.readerOf({ ...recordSchema(KIND, TAGS, NOTE), name: "Letter" });
    expect(() => read(parcel.write(message, 1))).toThrow(
      expect.objectContaining({
        code: "undecodable",
        message: "written as Letter, which cannot be read as Parcel",
      }),
    );
  });
});

describe("the wire format", () => {
  it.each([1, 0x7fffffff, 0xffffffff])("carries the schema id %d", (id) => {
    const buffer = Buffer.alloc(HEADER_LENGTH);
    writeHeader(buffer, id);
    expect(readSchemaId(buffer)).toBe(id);
  });

  it.each(["", "\0\0\0\0", "hello, world", '{"id":"1"}'])("is not in %j", (text) => {
    expect(() => readSchemaId(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: "undecodable" }),
    );
  });
});
