import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { digestOf, type ComparedRequest } from "./idempotency-key.ts";

const ID = "01a21518-2638-7174-840e-0b0b0fca644b";
const REQUEST: ComparedRequest = {
  method: "PATCH",
  path: `/v2/porting_orders/${ID}`,
  search: "",
  body: { customer_reference: "A", note: { b: 1, a: [2] } },
};
const hexOf = (request: Partial<ComparedRequest>): string =>
  digestOf({ ...REQUEST, ...request }).toString("hex");

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
