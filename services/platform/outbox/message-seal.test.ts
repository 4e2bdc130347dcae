import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createSecretBox } from "../secret-box.ts";
import { createMessageSeal } from "./message-seal.ts";

const SECRET = { topic: "secret", messageId: "1" };
const VALUE = Buffer.from([0, 0xff, 0x80, 1]);

const isSecret = (topic: string): boolean => topic === SECRET.topic;
const seal = createMessageSeal(createSecretBox([randomBytes(32)]), isSecret);
const keyless = createMessageSeal(null, isSecret);

describe("the value of a message", () => {
  it("is sealed on a secret topic, and opened as it was", () => {
    const stored = seal.seal(VALUE, SECRET);
    expect(stored.value?.includes(VALUE)).toBe(false);
    expect(seal.open(stored, SECRET)).toEqual(VALUE);
  });

  it("is stored as it is on other topics, and where there is none", () => {
    const open = { topic: "open", messageId: "1" };
    for (const one of [seal, keyless]) {
      expect(one.seal(VALUE, open)).toEqual({ value: VALUE, sealedKeyId: null });
      expect(one.seal(null, SECRET)).toEqual({ value: null, sealedKeyId: null });
      expect(one.open({ value: VALUE, sealedKeyId: null }, SECRET)).toEqual(VALUE);
    }
  });

  it("cannot be opened for another message or topic", () => {
    const stored = seal.seal(VALUE, SECRET);
    expect(() => seal.open(stored, { ...SECRET, topic: "open" })).toThrow("does not belong");
    expect(() => seal.open(stored, { ...SECRET, messageId: "2" })).toThrow("does not belong");
  });

  it("is neither stored nor opened by a service without a key", () => {
    expect(() => keyless.seal(VALUE, SECRET)).toThrow("no key");
    expect(() => keyless.open(seal.seal(VALUE, SECRET), SECRET)).toThrow("no key");
  });
});
