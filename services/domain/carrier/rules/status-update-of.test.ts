import { describe, expect, it } from "@jest/globals";
import type { OrderResult } from "./read-update.ts";
import { statusUpdateOf } from "./status-update-of.ts";

const OCCURRED_AT = new Date("2026-11-02T08:00:00.000Z");
const IDS = { comment: "comment-id", reason: "reason-id" };
const result: OrderResult = {
  provider: "sandbox",
  update_id: "update",
  kind: "number_active",
  raw_status: "ACTIVE",
  order_id: "01a1fc57-b585-7195-84b0-011dca65599f",
  request_version: 2,
  code: null,
  text: null,
  foc_at: null,
  phone_numbers: ["+12125551234"],
  comment: null,
  occurred_at: OCCURRED_AT.getTime(),
};

describe("the status update of a carrier's result", () => {
  it("has the carrier's time, version and numbers", () => {
    expect(statusUpdateOf(result, IDS)).toEqual({
      kind: "number_active",
      raw_status: "ACTIVE",
      request_version: 2,
      occurred_at: OCCURRED_AT,
      foc_at: null,
      phone_numbers: ["+12125551234"],
      code: null,
      text: null,
      comment: null,
      reason_comment_id: "reason-id",
    });
  });

  it("has the carrier's comment under an id of its own", () => {
    const { comment } = statusUpdateOf({ ...result, comment: "call us" }, IDS);
    expect(comment).toEqual({ id: "comment-id", body: "call us" });
  });

  it("is refused where its kind is not of an order", () => {
    const ofPortOut = { ...result, kind: "port_out_completed" } as const;
    expect(() => statusUpdateOf(ofPortOut, IDS)).toThrow(
      expect.objectContaining({ code: "rule_broken" }),
    );
  });
});
