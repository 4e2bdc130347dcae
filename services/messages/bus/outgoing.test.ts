import { describe, expect, it } from "@jest/globals";
import { batchLimit, requireSendable } from "./outgoing.ts";

const PREFIX = "blue.";

function message(topic: string, bytes: number) {
  return { messageId: "id", topic: PREFIX + topic, key: null, value: Buffer.alloc(bytes) };
}

describe("a message for a topic that carriers write", () => {
  it("is refused where the topic would not take it", () => {
    for (const topic of ["carriers.updates", "carriers.port-outs", "carriers.calls"]) {
      requireSendable(PREFIX, message(topic, 63_000));
      expect(() => requireSendable(PREFIX, message(topic, 64_000))).toThrow("exceeds 63488 bytes");
    }
  });

  it("may be as large as any on another topic", () => {
    requireSendable(PREFIX, message("carriers.requests", 1_000_000));
    expect(batchLimit(PREFIX)(`${PREFIX}porting.events`)).toBeNull();
    expect(batchLimit(PREFIX)(`${PREFIX}carriers.updates.dead-letter`)).toBeNull();
  });
});
