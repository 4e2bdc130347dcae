import { describe, expect, it } from "@jest/globals";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { sourceHeaders, sourceIn, sourceOf } from "./receipts.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";

const ID = "01a1fc57-b585-7195-84b0-011dca65599f";

function raw(fields: Partial<RawMessage> = {}): RawMessage {
  return buildRawMessage({
    topic: "p.carriers.updates",
    partition: 3,
    offset: 4_294_967_296,
    key: Buffer.from([0, 0xff, 7]),
    headers: { "message-id": ID.toUpperCase() },
    messageId: ID,
    ...fields,
  });
}

describe("the source of a receipt", () => {
  it.each([
    ["with a message-id and a key", raw()],
    ["without them", raw({ headers: {}, key: null })],
  ])("survives its way through headers %s", (_, message) => {
    const source = sourceOf(message);
    expect(sourceIn(sourceHeaders(source))).toEqual(source);
  });

  it("has no message id where the sender gave none", () => {
    expect(sourceOf(raw({ headers: {} })).messageId).toBeNull();
    expect(sourceOf(raw()).messageId).toBe(ID);
  });

  it("is null for a result without such headers", () => {
    expect(sourceIn({ traceparent: "00" })).toBeNull();
  });
});
