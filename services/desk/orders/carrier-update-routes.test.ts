import { describe, expect, it } from "@jest/globals";
import { buildCarrierUpdate } from "../../../test/support/carriers/carrier-update-factory.ts";
import { orderIn, T0 } from "../../../test/support/orders/order-factory.ts";
import { readCarriers } from "../../domain/carrier/read-carriers.ts";
import type { CarrierUpdate } from "../../messages/generated/carrier-update.ts";
import { effectOf } from "./carrier-update-routes.ts";

const { providers } = readCarriers("data/carriers");

function effect(order: Parameters<typeof effectOf>[0], fields: Partial<CarrierUpdate>) {
  const { provider, id: order_id, request_version } = order;
  const update = buildCarrierUpdate({ provider, order_id, request_version, ...fields });
  return effectOf(order, update, { providers, now: T0 });
}

const CHANGED = "porting_order.status_changed";
const COMMENT = "porting_order.new_comment";

describe("the effect of a carrier's update", () => {
  it("takes the steps that a date implies, one event each", () => {
    const dated = { raw_status: "FOC", foc_at: "2026-11-12T10:00:00-05:00" };
    expect(effect(orderIn("submitted"), dated)).toEqual({
      status: "foc_scheduled",
      numbers: [],
      events: [CHANGED, CHANGED],
      ignored: null,
    });
  });

  it("completes the order with its last active number, of which the customer is notified", () => {
    const order = orderIn("foc_scheduled");
    expect(effect(order, { kind: "number_active" })).toEqual({
      status: "completed",
      numbers: [{ phone_number: "+12125551234", status: "active" }],
      events: [CHANGED, CHANGED, "number.activated"],
      ignored: null,
    });
  });

  it("follows the operator's kind before the provider's table", () => {
    const said = { raw_status: "RECEIVED", kind: "comment", comment: "Soon." } as const;
    expect(effect(orderIn("submitted"), said)).toMatchObject({
      status: "submitted",
      events: [COMMENT],
      ignored: null,
    });
    expect(effect(orderIn("submitted"), { raw_status: "RECEIVED" }).status).toBe("in_process");
  });

  it("reads a code by the provider's table", () => {
    const rejection = { raw_code: "NOT_PORTABLE", raw_text: "It stays.", slug: null };
    expect(effect(orderIn("submitted"), { kind: "refused", rejection })).toMatchObject({
      status: "cancelled",
      numbers: [{ phone_number: "+12125551234", status: "cancelled" }],
      events: expect.arrayContaining([CHANGED, COMMENT]),
    });
  });

  it.each([
    ["completed", { kind: "acknowledged" }, "order_closed"],
    ["foc_scheduled", { kind: "acknowledged" }, "no_effect"],
    ["submitted", { raw_status: "WHAT" }, "unknown_status"],
    ["in_process", { kind: "date_confirmed", request_version: 0 }, "outdated_version"],
  ] as const)("says why an order in %s is not moved by %j", (status, update, code) => {
    expect(effect(orderIn(status), update)).toMatchObject({
      status,
      numbers: [],
      events: [],
      ignored: { code },
    });
  });
});
