import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createFingerprints } from "./start-idempotency.ts";

const fingerprints = createFingerprints(randomBytes(32));
const digestOf = (text: string): Buffer => createHash("sha256").update(text).digest();
const [DIGEST, OTHER] = [digestOf("4711"), digestOf("4712")];

describe("the fingerprint of a request", () => {
  it("is recognized as that of the same request alone", () => {
    const stored = fingerprints.of(DIGEST);
    expect(fingerprints.isOf(stored, DIGEST)).toBe(true);
    expect(fingerprints.isOf(stored, OTHER)).toBe(false);
  });

  it("can neither be computed nor recognized without the key", () => {
    const stored = fingerprints.of(DIGEST);
    const guessing = createFingerprints(randomBytes(32));
    expect(stored.equals(DIGEST)).toBe(false);
    expect(guessing.of(DIGEST).equals(stored)).toBe(false);
    expect(guessing.isOf(stored, DIGEST)).toBe(false);
  });

  it("is not the digest itself", () => {
    expect(fingerprints.isOf(DIGEST, DIGEST)).toBe(false);
  });
});
