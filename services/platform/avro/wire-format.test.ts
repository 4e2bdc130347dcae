import { describe, expect, it } from "@jest/globals";
import { HEADER_LENGTH, readSchemaId, writeHeader } from "./wire-format.ts";

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
