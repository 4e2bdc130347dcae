import { describe, expect, it } from "@jest/globals";
import { buildCallUpdate } from "../../../../test/support/carriers/call-update-factory.ts";
import type { CallUpdate } from "../../../messages/generated/call-update.ts";
import { findCallFault } from "./find-call-fault.ts";

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
