import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { generatedReader } from "../../test/support/schemas/generated-reader.ts";
import { asReadBy, valueOf } from "../../test/support/schemas/schema-values.ts";
import { createAvroRecord } from "../platform/avro/avro-record.ts";
import { readHistory, readSchemas } from "./generate/generate-types.ts";

const root = process.cwd();
const RUNS = { numRuns: 50, seed: 1 };

const versions = [...readSchemas(root)].flatMap(([name, today]) =>
  readHistory(root, name).map((old, n) => ({ name, version: n + 1, old, today })),
);

describe.each(versions)("$name, version $version", ({ old, today }) => {
  it("is read by today's reader, its missing fields as null", () => {
    const writer = createAvroRecord(old);
    const read = createAvroRecord(today).readerOf(old);
    fc.assert(
      fc.property(valueOf(old), (message) => {
        expect(read(writer.write(message, 1))).toEqual(asReadBy(today, message));
      }),
      RUNS,
    );
  });

  it("reads, by the code generated from it, what is written today", async () => {
    const writer = createAvroRecord(today);
    const read = (await generatedReader(old)).readerOf(today);
    fc.assert(
      fc.property(valueOf(today), (message) => {
        expect(read(writer.write(message, 1))).toEqual(asReadBy(old, message));
      }),
      RUNS,
    );
  });
});

describe("the history of the schemas", () => {
  it("has one with several versions, which the above is about", () => {
    expect(
      versions.filter(({ old, today }) => old.fields.length < today.fields.length),
    ).not.toEqual([]);
  });
});
