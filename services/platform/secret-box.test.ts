import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";

import { createSecretBox, keyIdOf, parseSecretKeys } from "./secret-box.ts";

const KEY = randomBytes(32);
const OTHER_KEY = randomBytes(32);

describe("a secret box", () => {
  it("opens what it sealed, and the bytes do not reveal it", () => {
    const box = createSecretBox([KEY]);
    const sealed = box.seal("whsec_abc", "endpoint-1");
    expect(sealed.bytes.includes("whsec_abc")).toBe(false);
    expect(sealed.keyId).toBe(keyIdOf(KEY));
    expect(box.open(sealed, "endpoint-1")).toBe("whsec_abc");
  });

  it("seals the same text differently each time", () => {
    const box = createSecretBox([KEY]);
    expect(box.seal("a", "x").bytes.equals(box.seal("a", "x").bytes)).toBe(false);
  });

  it("refuses another row's secret and a changed one", () => {
    const box = createSecretBox([KEY]);
    const sealed = box.seal("whsec_abc", "endpoint-1");
    expect(() => box.open(sealed, "endpoint-2")).toThrow("does not belong");
    const changed = Buffer.from(sealed.bytes);
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
    expect(() => box.open({ ...sealed, bytes: changed }, "endpoint-1")).toThrow("does not belong");
  });

  it("opens with an older key and seals with the first", () => {
    const sealed = createSecretBox([OTHER_KEY]).seal("whsec_abc", "endpoint-1");
    const box = createSecretBox([KEY, OTHER_KEY]);
    expect(box.open(sealed, "endpoint-1")).toBe("whsec_abc");
    expect(box.seal("b", "x").keyId).toBe(keyIdOf(KEY));
    expect(() => createSecretBox([KEY]).open(sealed, "endpoint-1")).toThrow("is not known");
  });

  it("accepts keys of exactly 32 bytes", () => {
    expect(parseSecretKeys([KEY.toString("base64")])).toEqual([KEY]);
    expect(() => parseSecretKeys([randomBytes(16).toString("base64")])).toThrow("SECRETS_KEY");
    expect(() => parseSecretKeys([])).toThrow("SECRETS_KEY");
  });
});
