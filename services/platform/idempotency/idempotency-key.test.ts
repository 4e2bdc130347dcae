import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "@jest/globals";
import { digestOf, readIdempotencyKey, type ComparedRequest } from "./idempotency-key.ts";

const ID = "01a21518-2638-7174-840e-0b0b0fca644b";
const REQUEST: ComparedRequest = {
  method: "PATCH",
  path: `/v2/porting_orders/${ID}`,
  search: "",
  body: { customer_reference: "A", note: { b: 1, a: [2] } },
};
const hexOf = (request: Partial<ComparedRequest>): string =>
  digestOf({ ...REQUEST, ...request }).toString("hex");

describe("the idempotency key of a request", () => {
  const keyOf = (key: string | undefined, method: Parameters<typeof readIdempotencyKey>[1]) => {
    const headers = key === undefined ? {} : { "idempotency-key": key };
    return readIdempotencyKey({ headers } as unknown as IncomingMessage, method);
  };

  it("is that of a POST and a PATCH; others, and those without one, have none", () => {
    const methods = ["POST", "PATCH", "GET", "DELETE"] as const;
    expect(methods.map((method) => keyOf("key", method))).toEqual(["key", "key", null, null]);
    expect(keyOf(undefined, "POST")).toBeNull();
  });

  it.each(["", "two words", "\u00e9", "k".repeat(256)])("is refused: %j", (key) => {
    expect(() => keyOf(key, "POST")).toThrow(expect.objectContaining({ code: "invalid_header" }));
    expect(keyOf("k".repeat(255), "POST")).toHaveLength(255);
  });
});

describe("the digest of a request", () => {
  it("is the same for the same request, however its body and its path are written", () => {
    const body = { note: { a: [2], b: 1 }, customer_reference: "A" };
    expect(hexOf({ body, path: `/v2/porting_orders/${ID.toUpperCase()}` })).toBe(hexOf({}));
  });

  it.each([
    { method: "POST" },
    { path: "/v2/porting_orders" },
    { search: "?a=1" },
    { body: { customer_reference: "B", note: { b: 1, a: [2] } } },
  ])("differs for %j", (other) => {
    expect(hexOf(other)).not.toBe(hexOf({}));
  });

  it("takes bytes by their hash, not one by one", () => {
    const image = randomBytes(256 * 1024);
    const sha256 = createHash("sha256").update(image).digest("hex");
    expect(hexOf({ body: { image } })).toBe(hexOf({ body: { image: { sha256 } } }));
    expect(hexOf({ body: { image } })).not.toBe(hexOf({ body: { image: image.subarray(1) } }));
  });
});
