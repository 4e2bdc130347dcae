import { describe, expect, it } from "@jest/globals";
import { ERROR_CODES as ALL_CODES } from "../../../services/platform/errors.ts";
import { bytesOf, ERROR_CODES, hexOf, meaningOf, textOf } from "./letter-content.ts";

describe("a dead letter", () => {
  it("has a code of the service, and what is to be done about it", () => {
    expect(ERROR_CODES.filter((code) => !ALL_CODES.some((one) => one === code))).toEqual([]);
    expect(meaningOf("handler_died").todo).toContain("developers");
    expect(meaningOf("of a later version").means).toBe("This code is not known here.");
  });

  it("shows bytes that could not be decoded as text and as hex", () => {
    const bytes = bytesOf({ base64: Buffer.from('{"a":1}\u0000 not a record').toString("base64") });
    expect(bytes).toHaveLength(21);
    expect(hexOf(bytes ?? new Uint8Array())).toBe(
      '00000000  7b 22 61 22 3a 31 7d 00 20 6e 6f 74 20 61 20 72  {"a":1}. not a r\n' +
        "00000010  65 63 6f 72 64                                   ecord",
    );
    expect(textOf(bytes ?? new Uint8Array())).toContain("not a record");
  });

  it("shows the beginning of very many bytes, and says how many are left", () => {
    const lines = hexOf(new Uint8Array(20_000)).split("\n");
    expect(lines).toHaveLength(1_025);
    expect(lines.at(-1)).toBe("… 3,616 bytes more");
  });

  it("that was decoded has no bytes", () => {
    expect(bytesOf({ order_id: "1" })).toBeNull();
    expect(bytesOf({ base64: "AA==", other: 1 })).toBeNull();
    expect(bytesOf(null)).toBeNull();
  });
});
