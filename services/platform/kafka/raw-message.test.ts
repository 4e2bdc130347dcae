import { describe, expect, it } from "@jest/globals";
import type { IHeaders } from "kafkajs";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";
import { findExcess, toRawMessage, withoutExcess } from "./raw-message.ts";

function record(offset: string, timestamp: string, headers: IHeaders = {}) {
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

describe("what a record has too much of", () => {
  const headers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`h${n}`, "v"]));

  it("is a key of more than 255 bytes, which goes no further", () => {
    const long = buildRawMessage({ key: Buffer.alloc(256) });
    expect(findExcess(long)).toBe("The key has more than 255 bytes.");
    expect(withoutExcess(long)).toEqual({ ...long, key: null });
    const fit = buildRawMessage({ key: Buffer.alloc(255) });
    expect([findExcess(fit), withoutExcess(fit)]).toEqual([null, fit]);
  });

  it("is a header after 64, of which those before go further", () => {
    const many = record("7", "1", headers(65));
    expect(findExcess(many)).toBe("There are more than 64 headers.");
    expect(withoutExcess(many)).toEqual({ ...many, headers: headers(62), headerCount: 62 });
    const named = record("7", "1", { ...headers(100), "message-id": "id", traceparent: "trace" });
    const kept = { ...headers(62), "message-id": "id", traceparent: "trace" };
    expect(withoutExcess(named)).toMatchObject({ headers: kept, headerCount: 64 });
    expect(findExcess(record("7", "1", headers(64)))).toBeNull();
  });

  it("is counted by headers, not by their names", () => {
    const values = Array.from({ length: 65 }, () => Buffer.from("v"));
    expect(findExcess(record("7", "1", { same: values }))).not.toBeNull();
  });
});
