import { describe, expect, it } from "@jest/globals";
import { orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { findCarrierRuleFault, type RuledUpdate } from "./find-update-fault.ts";

const DATE = "2026-12-01T10:00:00-05:00";
const REJECTION = { raw_code: "7404", raw_text: "Name" };
const NOW = new Date("2026-11-10T12:00:00.000Z");
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const order = orderIn("submitted", { request_version: 2 });
const phone_numbers = order.numbers.map((number) => number.phone_number);
const update: RuledUpdate = {
  update_id: "update",
  kind: "acknowledged",
  occurred_at: NOW.getTime(),
  raw_status: "RECEIVED",
  comment: null,
  request_version: 2,
  foc_at: null,
  rejection: null,
  phone_numbers: null,
};

describe("a status update of an order", () => {
  it.each<Partial<RuledUpdate>>([
    {},
    { kind: null, raw_status: "a status that no table has" },
    { request_version: 1 },
    { kind: "number_active", phone_numbers },
    { kind: "date_confirmed", foc_at: DATE },
    { kind: "date_confirmed", foc_at: DATE.replace(/:00([+-]\d\d):00$/, "$1") },
    { occurred_at: T0.getTime() - DAY_MS },
    { occurred_at: NOW.getTime() + 5 * MINUTE_MS },
    { kind: "date_confirmed", foc_at: new Date(T0.getTime() - DAY_MS).toISOString() },
    { kind: "date_moved", foc_at: new Date(NOW.getTime() + 365 * DAY_MS).toISOString() },
    { kind: "rejected", rejection: REJECTION },
    { kind: "comment", comment: "😀".repeat(4_000), raw_status: "é".repeat(1_000) },
    { rejection: { raw_code: "r".repeat(255), raw_text: "t".repeat(4_000) } },
  ])("passes: %j", (fields) => {
    expect(findCarrierRuleFault({ ...update, ...fields }, order, NOW)).toBeNull();
  });

  it.each<[string, string, Partial<RuledUpdate>]>([
    ["#/update_id", "invalid_value", { update_id: "" }],
    ["#/update_id", "invalid_value", { update_id: "x".repeat(256) }],
    ["#/raw_status", "invalid_value", { raw_status: "a\0" }],
    ["#/comment", "invalid_value", { kind: "comment", comment: "\0" }],
    ["#/rejection/raw_code", "invalid_value", { rejection: { ...REJECTION, raw_code: "\0" } }],
    ["#/rejection/raw_text", "invalid_value", { rejection: { ...REJECTION, raw_text: "\0" } }],
    ["#/raw_status", "too_long", { raw_status: "s".repeat(1_001) }],
    ["#/comment", "too_long", { kind: "comment", comment: "😀".repeat(4_001) }],
    [
      "#/rejection/raw_code",
      "too_long",
      { rejection: { raw_code: "r".repeat(256), raw_text: "" } },
    ],
    [
      "#/rejection/raw_text",
      "too_long",
      { rejection: { raw_code: "", raw_text: "t".repeat(4_001) } },
    ],
    ["#/occurred_at", "invalid_value", { occurred_at: -1 }],
    ["#/occurred_at", "invalid_value", { occurred_at: Date.UTC(10_000, 0, 1) }],
    ["#/occurred_at", "invalid_value", { occurred_at: 9e15 }],
    ["#/occurred_at", "invalid_value", { occurred_at: Math.round(NOW.getTime() / 1_000) }],
    ["#/occurred_at", "invalid_value", { occurred_at: T0.getTime() - DAY_MS - 1 }],
    ["#/occurred_at", "invalid_value", { occurred_at: NOW.getTime() + 5 * MINUTE_MS + 1 }],
    ["#/kind", "invalid_value", { kind: "unrecognized" }],
    ["#/request_version", "never_sent", { request_version: 3 }],
    ["#/request_version", "never_sent", { request_version: 0 }],
    ["#/phone_numbers", "required", { phone_numbers: [] }],
    ["#/phone_numbers/1", "unknown_number", { phone_numbers: [...phone_numbers, "+12125550000"] }],
    ["#/foc_at", "required", { kind: "date_confirmed" }],
    ["#/foc_at", "required", { kind: "date_moved" }],
    ["#/foc_at", "invalid_format", { kind: "date_confirmed", foc_at: "2026-12-01" }],
    [
      "#/foc_at",
      "invalid_format",
      { kind: "date_confirmed", foc_at: `2026-12-01T10:00:00.${"0".repeat(31)}Z` },
    ],
    ["#/foc_at", "invalid_value", { kind: "date_moved", foc_at: "0000-01-01T00:00:00Z" }],
    ["#/foc_at", "invalid_value", { kind: "date_moved", foc_at: "9999-12-31T23:00:00-14:00" }],
    ["#/foc_at", "invalid_value", { foc_at: new Date(T0.getTime() - DAY_MS - 1).toISOString() }],
    [
      "#/foc_at",
      "invalid_value",
      { foc_at: new Date(NOW.getTime() + 365 * DAY_MS + 1).toISOString() },
    ],
    ["#/rejection", "required", { kind: "rejected" }],
  ])("is refused: %s %s, for %j", (pointer, code, fields) => {
    const fault = findCarrierRuleFault({ ...update, ...fields }, order, NOW);
    expect(fault).toEqual({ pointer, code, detail: expect.stringMatching(/^[A-Z].+\.$/) });
  });

  it("with seconds sent for milliseconds is answered with the instant that they mean, and the bounds", () => {
    const occurred_at = Math.round(NOW.getTime() / 1_000);
    const fault = findCarrierRuleFault({ ...update, occurred_at }, order, NOW);
    expect(fault?.detail).toBe(
      "It is 1970-01-21T18:25:12.000Z, which is not between 2026-11-01T09:00:00.000Z and 2026-11-10T12:05:00.000Z.",
    );
  });
});
