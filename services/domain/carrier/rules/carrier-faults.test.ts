import { describe, expect, it } from "@jest/globals";
import { buildCallUpdate } from "../../../../test/support/carriers/call-update-factory.ts";
import { orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import type { CallUpdate } from "../../../messages/generated/call-update.ts";
import type { PortOutUpdate } from "../../../messages/generated/port-out-update.ts";
import { NOTHING_STATED } from "../../port-out/rules/requester.ts";
import {
  findCallFault,
  findCarrierRuleFault,
  findPortOutFault,
  unknownProvider,
  type RuledUpdate,
} from "./carrier-faults.ts";

it("is named, with where the known ones stand", () => {
  expect(unknownProvider("tset")).toMatchObject({
    code: "provider_mismatch",
    message:
      'There is no provider "tset": the names are those of the files in CARRIERS_DIR/providers.',
  });
  expect(unknownProvider("x".repeat(1_000)).message.length).toBeLessThan(200);
});

const NOW = new Date("2026-11-10T12:00:00.000Z");
const LATEST = NOW.getTime() + 5 * 60_000;
const forwarded = buildCallUpdate({ occurred_at: NOW.getTime() });
const completed = { kind: "completed", duration_seconds: 0, ended_by: "caller" } as const;
const missed = { kind: "missed", reason: "busy" } as const;

describe("a call update", () => {
  it.each<Partial<CallUpdate>>([{}, completed, missed, { occurred_at: LATEST }])(
    "passes: %j",
    (fields) => {
      expect(findCallFault({ ...forwarded, ...fields }, NOW)).toBeNull();
    },
  );

  it("has numbers of up to 255 characters, as a reader counts them", () => {
    expect(findCallFault({ ...forwarded, from: "😀".repeat(255) }, NOW)).toBeNull();
  });

  it.each<[string, string, Partial<CallUpdate>]>([
    ["#/call_id", "required", { call_id: "" }],
    ["#/call_id", "too_long", { call_id: "x".repeat(256) }],
    ["#/provider", "required", { provider: "" }],
    ["#/provider", "invalid_value", { provider: "a\0" }],
    ["#/from", "too_long", { from: "x".repeat(256) }],
    ["#/to", "invalid_value", { to: "\0" }],
    ["#/phone_number", "invalid_number", { phone_number: "2125551234" }],
    ["#/occurred_at", "invalid_value", { occurred_at: -1 }],
    ["#/occurred_at", "invalid_value", { occurred_at: Math.round(NOW.getTime() / 1_000) }],
    ["#/occurred_at", "invalid_value", { occurred_at: LATEST + 1 }],
    ["#/kind", "invalid_value", { kind: "unrecognized" }],
    ["#/forwarded_by", "required", { forwarded_by: null }],
    ["#/forwarded_by", "invalid_value", { forwarded_by: "unrecognized" }],
    ["#/stage", "required", { stage: null }],
    ["#/stage", "invalid_value", { stage: "unrecognized" }],
    ["#/duration_seconds", "required", { ...completed, duration_seconds: null }],
    ["#/duration_seconds", "invalid_value", { ...completed, duration_seconds: -1 }],
    ["#/ended_by", "required", { ...completed, ended_by: null }],
    ["#/reason", "required", { ...missed, reason: null }],
    ["#/reason", "invalid_value", { ...missed, reason: "unrecognized" }],
  ])("is refused: %s %s, for %j", (pointer, code, fields) => {
    const fault = findCallFault({ ...forwarded, ...fields }, NOW);
    expect(fault).toEqual({ pointer, code, detail: expect.stringMatching(/^[A-Z].+\.$/) });
    if (code === "too_long") expect(fault?.detail).toBe("It has more than 255 characters.");
  });
});

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
  ...NOTHING_STATED,
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

const DATE = "2026-12-01T10:00:00-05:00";
const REJECTION = { raw_code: "7404", raw_text: "Name" };

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
