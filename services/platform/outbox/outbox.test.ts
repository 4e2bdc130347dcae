import { describe, expect, it } from "@jest/globals";
import { outboxRows, type OutgoingMessage } from "./outbox.ts";

const MESSAGE: OutgoingMessage = {
  messageId: "id",
  topic: "things",
  key: Buffer.alloc(255),
  value: Buffer.alloc(1_899_000),
};

describe("a message that the relay could not send", () => {
  it("is not taken into the outbox for its key", () => {
    expect(outboxRows([MESSAGE])).toHaveLength(1);
    const long = { ...MESSAGE, key: Buffer.alloc(256) };
    expect(() => outboxRows([long])).toThrow("A key for things exceeds 255 bytes.");
  });

  it.each([
    ["its value", { value: Buffer.alloc(1_900_000) }],
    ["its headers", { headers: { long: "h".repeat(1_000) } }],
  ])("is not taken for %s", (_, part) => {
    expect(() => outboxRows([{ ...MESSAGE, ...part }])).toThrow("exceeds 1900000 bytes");
  });

  it("may be larger as a dead letter, which has the source's bytes", () => {
    const letter = { ...MESSAGE, topic: "things.dead-letter", value: Buffer.alloc(2_097_152) };
    expect(outboxRows([letter])).toHaveLength(1);
  });
});
