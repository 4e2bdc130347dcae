import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { createSecretBox } from "../../../platform/secret-box.ts";
import { pinMatches, sealPin, type StoredPin } from "./port-out-pin.ts";

const box = createSecretBox([randomBytes(32)]);

function number(phone_number: string, pin: string | null): StoredPin {
  const owner = { account_id: "01a19b7c-a687-7195-84b0-000000000002", phone_number };
  return { ...owner, sealed: pin === null ? null : sealPin(box, owner, pin) };
}

describe("a port-out PIN", () => {
  const [first, second, open] = [
    number("+12125550101", "4711"),
    number("+12125550102", "0815"),
    number("+12125550103", null),
  ];

  it("matches if it is the PIN of every number that has one", () => {
    expect(pinMatches(box, [first, open], "4711")).toBe(true);
    expect(pinMatches(box, [first, second], "4711")).toBe(false);
    expect(pinMatches(box, [first], "47110")).toBe(false);
    expect(pinMatches(box, [first], "")).toBe(false);
  });

  it("does not match if no number has one, and is unknown if none was given", () => {
    expect(pinMatches(box, [open], "4711")).toBe(false);
    expect(pinMatches(box, [first], null)).toBeNull();
  });

  it("is sealed to its column and row, so that key rotation can find it", () => {
    if (first.sealed === null) throw new Error("the PIN was not sealed");
    expect(box.open(first.sealed, `port_out_pin/${first.account_id}/${first.phone_number}`)).toBe(
      "4711",
    );
  });

  it("cannot be read in another number's row", () => {
    const moved = { ...second, sealed: first.sealed };
    expect(() => pinMatches(box, [moved], "4711")).toThrow("does not belong to its row");
  });
});
