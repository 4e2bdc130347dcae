import { describe, expect, it } from "@jest/globals";
import { buildCarrierRequest } from "../../test/support/carriers/carrier-request-factory.ts";
import type { CarrierRequest } from "../messages/generated/carrier-request.ts";
import { readPlatformPortOutRef } from "../messages/platform-provider.ts";
import { readCarriers } from "../domain/carrier/read-carriers.ts";
import { reactionTo } from "./reactions.ts";

const ORDER_ID = "018f3a4e-0000-7000-8000-000000000001";
const NUMBERS = ["+12125550101", "+12125550102"];
const { terms: termsOf } = readCarriers("data/carriers");
const CONTEXT = {
  gainingCarrier: "Number Porting Service",
  requestedAt: 1_790_000_000_000,
  termsOf,
};
const FOC = "2026-12-01T10:00:00-05:00";

const build = (fields: Partial<CarrierRequest>): CarrierRequest =>
  buildCarrierRequest({
    provider: "platform",
    order_id: ORDER_ID,
    request_version: 2,
    phone_numbers: NUMBERS,
    ...fields,
  });

describe("the platform as a losing carrier", () => {
  it("asks the holder for a port-out with the customer's PIN, and acknowledges", () => {
    const requirements = [
      { slug: "pin_passcode", phone_number: null, value: "4711", document_id: null },
    ];
    const request = build({ kind: "submit", requirements, foc_requested: FOC });
    expect(reactionTo(request, CONTEXT)).toMatchObject({
      portOuts: [
        {
          kind: "requested",
          port_out_ref: `${ORDER_ID}/2`,
          phone_numbers: NUMBERS,
          gaining_carrier: "Number Porting Service",
          requested_foc: FOC,
          attempted_pin: "4711",
        },
      ],
      updates: [{ kind: "acknowledged", order_id: ORDER_ID, request_version: 2 }],
    });
  });

  it("asks for a date to come: the customer's may have passed before the order was sent", () => {
    const late = { ...CONTEXT, requestedAt: Date.parse(FOC) };
    const [portOut] = reactionTo(build({ kind: "submit", foc_requested: FOC }), late).portOuts;
    expect(Date.parse(portOut?.requested_foc ?? "")).toBeGreaterThan(late.requestedAt);
  });

  it.each([
    [true, null, { kind: "date_confirmed", foc_at: FOC }],
    [false, "port_locked", { kind: "rejected", rejection: { raw_code: "port_locked" } }],
  ])(
    "passes a decision (approved: %s) on to the order of its reference",
    (approved, code, update) => {
      const port_out = { port_out_ref: `${ORDER_ID}/2`, approved, code, reason: null };
      const request = build({
        ...{ kind: "port_out_decision", order_id: null, request_version: null },
        ...{ port_out, foc_requested: FOC },
      });
      const { portOuts, updates } = reactionTo(request, CONTEXT);
      expect(portOuts).toEqual([]);
      expect(updates).toMatchObject([{ ...update, order_id: ORDER_ID, request_version: 2 }]);
    },
  );

  it("completes the port-out and activates the numbers on the day", () => {
    const { portOuts, updates } = reactionTo(build({ kind: "activate", foc_actual: FOC }), CONTEXT);
    expect(portOuts).toMatchObject([{ kind: "completed", port_out_ref: `${ORDER_ID}/2` }]);
    expect(updates.map(({ kind }) => kind)).toEqual(["activating", "number_active"]);
  });

  it("withdraws the port-out of a cancelled order", () => {
    const { portOuts, updates } = reactionTo(build({ kind: "cancel" }), CONTEXT);
    expect(portOuts).toMatchObject([{ kind: "cancelled" }]);
    expect(updates).toMatchObject([{ kind: "cancel_confirmed" }]);
  });

  it("withdraws the port-out of the version before as it asks again: it may be open still", () => {
    const request = build({ kind: "supplement", request_version: 3 });
    const { portOuts } = reactionTo(request, CONTEXT);
    expect(portOuts.map(({ kind, port_out_ref }) => [kind, port_out_ref])).toEqual([
      ["cancelled", `${ORDER_ID}/2`],
      ["requested", `${ORDER_ID}/3`],
    ]);
    expect(new Set(portOuts.map((one) => one.update_id)).size).toBe(2);
  });

  it("repeats the same ids for a repeated request, and others for each message", () => {
    const [first, again] = [0, 1].map(() => reactionTo(build({ kind: "activate" }), CONTEXT));
    expect(again).toEqual(first);
    const ids = [...(first?.portOuts ?? []), ...(first?.updates ?? [])].map((one) => one.update_id);
    expect(new Set(ids).size).toBe(3);
  });

  it("has no part in a decision about another provider's port-out", () => {
    for (const ref of ["PON-17", `${ORDER_ID}/0`, `${ORDER_ID}/2/3`, ORDER_ID]) {
      expect(readPlatformPortOutRef(ref)).toBeNull();
    }
  });
});
