import { createHash, createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createPinMacs } from "./pin-macs.ts";

const [CURRENT, BEFORE] = [randomBytes(32), randomBytes(32)];
const GIVEN = { provider: "us-lsr", updateId: "1", pin: "4711" };
const macs = createPinMacs([CURRENT, BEFORE]);

describe("the keyed hash of a port-out's PIN", () => {
  it("recognizes another PIN under the same update id, under the present key and the one before", () => {
    for (const keys of [[CURRENT], [BEFORE]]) {
      const mac = createPinMacs(keys).of(GIVEN);
      expect(macs.mayBe(mac, GIVEN)).toBe(true);
      expect(macs.mayBe(mac, { ...GIVEN, pin: "4712" })).toBe(false);
    }
  });

  it("compares nothing where there is no hash, or its key was removed", () => {
    expect(macs.of({ ...GIVEN, pin: null })).toBeNull();
    expect(macs.mayBe(null, GIVEN)).toBe(true);
    const lost = createPinMacs([randomBytes(32)]).of(GIVEN);
    expect(macs.mayBe(lost, { ...GIVEN, pin: "4712" })).toBe(true);
  });

  it("cannot be found by trying all PINs, nor be compared with that of another update", () => {
    const mac = macs.of(GIVEN)?.bytes;
    const text = JSON.stringify(["us-lsr", "1", "4711"]);
    expect(mac).not.toEqual(createHash("sha256").update(text).digest());
    expect(mac).not.toEqual(createHmac("sha256", "").update(text).digest());
    expect(mac).not.toEqual(macs.of({ ...GIVEN, updateId: "2" })?.bytes);
    expect(mac).not.toEqual(macs.of({ ...GIVEN, provider: "gb-gateway" })?.bytes);
  });
});
