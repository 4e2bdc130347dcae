import { describe, expect, it } from "@jest/globals";
import { toRawMessage } from "./raw-message.ts";

function record(offset: string, timestamp: string, headers = {}) {
  const parts = { key: null, value: Buffer.from("v"), attributes: 0, offset, timestamp, headers };
  return toRawMessage("carriers.updates", 3, parts);
}

describe("the id of a message", () => {
  it("is what its producer says, in lower case", () => {
    const id = "01890000-0000-7000-8000-00000000000A";
    expect(record("7", "1", { "message-id": Buffer.from(id) }).messageId).toBe(id.toLowerCase());
  });

  it("is the record's own where the producer says none: the same whenever it is read", () => {
    expect(record("7", "1").messageId).toBe(record("7", "1").messageId);
    expect(record("7", "1").messageId).not.toBe(record("8", "1").messageId);
  });

  it("is another at the same offset of a topic that was made anew", () => {
    expect(record("7", "1").messageId).not.toBe(record("7", "2").messageId);
  });
});
