import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createFingerprints, type Fingerprinted } from "./fingerprint.ts";

const ID = "01a21518-2638-7174-840e-0b0b0fca644b";
const [CURRENT, BEFORE] = [randomBytes(32), randomBytes(32)];
const fingerprintsOf = createFingerprints([CURRENT, BEFORE]);

const REQUEST: Fingerprinted = {
  method: "PATCH",
  path: `/v2/numbers/${ID}`,
  search: "",
  body: { port_out_pin: "4711", note: { b: 1, a: [2] } },
};

const storedOf = (request: Partial<Fingerprinted>, keys = [CURRENT]): Buffer =>
  createFingerprints(keys)({ ...REQUEST, ...request })[0];

const isKnown = (stored: Buffer): boolean =>
  fingerprintsOf(REQUEST).some((one) => one.equals(stored));

describe("the fingerprint of a request", () => {
  it("is the same for the same request, however its body and its path are written", () => {
    expect(isKnown(storedOf({}))).toBe(true);
    const body = { note: { a: [2], b: 1 }, port_out_pin: "4711" };
    expect(isKnown(storedOf({ body, path: `/v2/numbers/${ID.toUpperCase()}` }))).toBe(true);
  });

  it.each([
    { method: "POST" },
    { path: "/v2/numbers/1" },
    { search: "?a=1" },
    { body: { port_out_pin: "4712", note: { b: 1, a: [2] } } },
  ])("differs for %j", (other) => {
    expect(isKnown(storedOf(other))).toBe(false);
  });

  it("is known under a key that was the current one, and under no other", () => {
    expect(isKnown(storedOf({}, [BEFORE]))).toBe(true);
    expect(isKnown(storedOf({}, [randomBytes(32)]))).toBe(false);
  });

  it("is no hash that can be found by trying all bodies, but one from before is known", () => {
    const text = `["PATCH","/v2/numbers/${ID}","",{"note":{"a":[2],"b":1},"port_out_pin":"4711"}]`;
    const plain = createHash("sha256").update(text).digest();
    expect(storedOf({}).equals(plain)).toBe(false);
    expect(isKnown(plain)).toBe(true);
  });

  it("takes bytes by their hash, not one by one", () => {
    const image = randomBytes(256 * 1024);
    const sha256 = createHash("sha256").update(image).digest("hex");
    const whole = storedOf({ body: { image } });
    expect(whole.equals(storedOf({ body: { image: { sha256 } } }))).toBe(true);
    expect(whole.equals(storedOf({ body: { image: image.subarray(1) } }))).toBe(false);
  });
});
