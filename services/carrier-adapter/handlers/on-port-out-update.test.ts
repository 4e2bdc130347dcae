import { randomBytes } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { sealPin, type StoredPin } from "../../domain/number/rules/port-out-pin.ts";
import { NOTHING_STATED } from "../../domain/port-out/rules/requester.ts";
import type { PortOutUpdate } from "../../messages/generated/port-out-update.ts";
import { createSecretBox } from "../../platform/secret-box.ts";
import { hashContent } from "../store/update-claims.ts";
import { contentHash, requestedParts, requireRequested } from "./on-port-out-update.ts";

const box = createSecretBox([randomBytes(32)]);
const [A1, A2, B1, NOBODYS] = ["+12125550101", "+12125550102", "+12125550103", "+12125550104"];

function pinOf(account_id: string, phone_number: string, pin: string | null): StoredPin {
  const owner = { account_id, phone_number };
  return { ...owner, sealed: pin === null ? null : sealPin(box, owner, pin) };
}

describe("a port-out request", () => {
  const owned = [pinOf("a", A1, "4711"), pinOf("b", B1, "0815"), pinOf("a", A2, null)];
  const request = { phone_numbers: [A1, A2, B1, NOBODYS], attempted_pin: "4711" };

  it("is divided by account, each with its own PINs, and the numbers of no account last", () => {
    expect(requestedParts(box, request, owned)).toEqual([
      { phone_numbers: [A1, A2], pin_matches: true },
      { phone_numbers: [B1], pin_matches: false },
      { phone_numbers: [NOBODYS], pin_matches: null },
    ]);
  });

  it("without a PIN, or of one account alone, has no more to say", () => {
    const ofA = { phone_numbers: [A1, A2], attempted_pin: null };
    expect(requestedParts(box, ofA, owned.slice(0, 1).concat(owned.slice(2)))).toEqual([
      { phone_numbers: [A1, A2], pin_matches: null },
    ]);
  });
});

describe("a later update on a port-out", () => {
  it("names numbers of its request alone", () => {
    expect(() => requireRequested([A1, A2], [A2])).not.toThrow();
    expect(() => requireRequested([A1, A2], [A1, B1])).toThrow(
      expect.objectContaining({
        code: "rule_broken",
        message: "#/phone_numbers/1: The number is not in the port-out.",
      }),
    );
  });
});

describe("the content by which repeats of an update are known", () => {
  const ASKED = {
    update_id: "update",
    provider: "sandbox",
    port_out_ref: "ref",
    kind: "requested",
    phone_numbers: [A1],
    gaining_carrier: "Other Telecom",
    requested_foc: "2026-12-20T10:00:00+01:00",
    foc_at: null,
    occurred_at: 0,
  } as const;
  const update: PortOutUpdate = {
    ...ASKED,
    phone_numbers: [...ASKED.phone_numbers],
    ...NOTHING_STATED,
    attempted_pin: "4711",
  };
  const hashOf = (fields: Partial<PortOutUpdate>): string =>
    contentHash({ ...update, ...fields }).bytes.toString("hex");

  it("has no PIN, whose few digits could be found by trying all, but whether one was given", () => {
    expect(hashOf({ attempted_pin: "0815" })).toBe(hashOf({}));
    expect(hashOf({ attempted_pin: null })).not.toBe(hashOf({}));
  });

  it("has no account number either, but whether one was given, and is that of before without one", () => {
    expect(hashOf({ account_number: "8150210" })).toBe(hashOf({ account_number: "8150211" }));
    expect(hashOf({ account_number: "8150210" })).not.toBe(hashOf({}));
    expect(contentHash(update)).toEqual(hashContent({ ...ASKED, pin_given: true }));
  });

  it.each<Partial<PortOutUpdate>>([
    { pon: "PON-1" },
    { kind: "cancelled" },
    { port_out_ref: "other" },
    { phone_numbers: [A2] },
    { foc_at: "2026-12-21T10:00:00Z" },
    { occurred_at: 1 },
  ])("differs for %j", (fields) => {
    expect(hashOf(fields)).not.toBe(hashOf({}));
  });
});
