import { describe, expect, it } from "@jest/globals";
import type { PortOutUpdate } from "../../../messages/generated/port-out-update.ts";
import { findPortOutFault } from "./find-port-out-fault.ts";

const NOW = new Date("2026-11-10T12:00:00.000Z");
const LATEST = NOW.getTime() + 5 * 60_000;
const NUMBER = "+12125551234";
const requested: PortOutUpdate = {
  update_id: "update",
  provider: "sandbox",
  port_out_ref: "ref",
  kind: "requested",
  phone_numbers: [NUMBER],
  gaining_carrier: "Other Telecom",
  requested_foc: "2026-12-20T10:00:00+01:00",
  attempted_pin: null,
  foc_at: null,
  occurred_at: NOW.getTime(),
};
const many = Array.from({ length: 1_001 }, (_, n) => `+1212555${1_000 + n}`);

describe("a port-out update", () => {
  it.each<Partial<PortOutUpdate>>([
    {},
    { attempted_pin: "1234", foc_at: "2026-12-21T10:00:00Z" },
    { kind: "completed", gaining_carrier: "", requested_foc: "" },
    { phone_numbers: many.slice(1) },
    { gaining_carrier: "😀".repeat(255) },
  ])("passes", (fields) => {
    expect(findPortOutFault({ ...requested, ...fields }, NOW)).toBeNull();
  });

  it.each<[string, string, Partial<PortOutUpdate>]>([
    ["#/update_id", "invalid_value", { update_id: "" }],
    ["#/update_id", "invalid_value", { update_id: "\0" }],
    ["#/port_out_ref", "invalid_value", { port_out_ref: "x".repeat(256) }],
    ["#/gaining_carrier", "invalid_value", { gaining_carrier: "a\0" }],
    ["#/gaining_carrier", "too_long", { gaining_carrier: "x".repeat(256) }],
    ["#/gaining_carrier", "required", { gaining_carrier: "" }],
    ["#/attempted_pin", "invalid_value", { attempted_pin: "4711\0" }],
    ["#/attempted_pin", "too_long", { attempted_pin: "4711".repeat(64) }],
    ["#/occurred_at", "invalid_value", { occurred_at: -1 }],
    ["#/occurred_at", "invalid_value", { occurred_at: Math.round(NOW.getTime() / 1_000) }],
    ["#/occurred_at", "invalid_value", { occurred_at: LATEST + 1 }],
    ["#/requested_foc", "invalid_value", { requested_foc: "2027-11-11T12:00:00Z" }],
    ["#/requested_foc", "invalid_value", { requested_foc: "1970-01-21T17:32:00Z" }],
    ["#/foc_at", "invalid_value", { kind: "completed", foc_at: "2027-11-11T12:00:00Z" }],
    ["#/phone_numbers", "required", { phone_numbers: [] }],
    ["#/phone_numbers", "too_many", { phone_numbers: many }],
    ["#/phone_numbers/1", "invalid_number", { phone_numbers: [NUMBER, "nonsense"] }],
    ["#/phone_numbers/1", "duplicate_number", { phone_numbers: [NUMBER, NUMBER] }],
    ["#/kind", "invalid_value", { kind: "unrecognized" }],
    ["#/requested_foc", "invalid_format", { requested_foc: "2026-12-20" }],
    [
      "#/requested_foc",
      "invalid_format",
      { requested_foc: "2026-12-20T10:00:00.0000000000+01:00" },
    ],
    ["#/requested_foc", "too_long", { kind: "cancelled", requested_foc: "0".repeat(256) }],
    ["#/foc_at", "invalid_format", { kind: "completed", foc_at: "soon" }],
  ])("is refused: %s %s", (pointer, code, fields) => {
    const fault = findPortOutFault({ ...requested, ...fields }, NOW);
    expect(fault).toEqual({ pointer, code, detail: expect.stringMatching(/^[A-Z].+\.$/) });
    expect(fault?.detail).not.toContain("4711");
    if (code === "too_long") expect(fault?.detail).toBe("It has more than 255 characters.");
  });
});
