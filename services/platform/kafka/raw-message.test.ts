import { describe, expect, it } from "@jest/globals";
import { toRawMessage } from "./raw-message.ts";

function record(offset: string, timestamp: string, headers = {}) {
  const parts = { key: null, value: Buffer.from("v"), attributes: 0, offset, timestamp, headers };
  return toRawMessage("carriers.updates", 3, parts);
}

describe("the id of a message", () => {
  it("is the producer's header, in lower case", () => {
    const id = "01890000-0000-7000-8000-00000000000A";
    expect(record("7", "1", { "message-id": Buffer.from(id) }).messageId).toBe(id.toLowerCase());
  });

  it("is derived from the record if the header is absent, the same on every read", () => {
    expect(record("7", "1").messageId).toBe(record("7", "1").messageId);
    expect(record("7", "1").messageId).not.toBe(record("8", "1").messageId);
  });

  it("differs at the same offset of a recreated topic", () => {
    expect(record("7", "1").messageId).not.toBe(record("7", "2").messageId);
  });
});
