import { describe, expect, it } from "@jest/globals";
import { buildChange, orderIn } from "../../../test/support/orders/order-factory.ts";
import { carrierRequestId } from "../../domain/order/rules/order-messages.ts";
import type { CarrierTaskKind } from "../../domain/order/rules/effects.ts";
import { ORDER_STATUSES, type Order } from "../../domain/order/rules/order.ts";
import { isEnded } from "../../domain/order/rules/status-facts.ts";
import { isOvertaken, requestOf } from "./on-carrier-task.ts";

const taskOf = (kind: CarrierTaskKind, order: Order) => ({
  kind,
  request_id: carrierRequestId(order, kind),
});

describe("a task that comes late or is replayed", () => {
  const ended = ORDER_STATUSES.filter((status) => isEnded({ status }));

  it.each(ended)("asks the carrier to port nothing of an order that is %s", (status) => {
    const order = orderIn(status);
    for (const kind of ["submit", "supplement", "activate"] as const) {
      expect(isOvertaken(taskOf(kind, order), order)).toBe(true);
    }
    expect(isOvertaken(taskOf("cancel", order), order)).toBe(false);
  });

  it("still asks for an order that is open, and for the activation of its date alone", () => {
    const order = orderIn("foc_scheduled");
    for (const kind of ["submit", "activate", "cancel"] as const) {
      expect(isOvertaken(taskOf(kind, order), order)).toBe(false);
    }
    const moved = { ...order, foc_actual: "2026-11-20T10:00:00-05:00" };
    expect(isOvertaken(taskOf("activate", order), moved)).toBe(true);
  });
});

describe("the request of a pending change", () => {
  const { numbers } = orderIn("foc_scheduled");
  const both = numbers.flatMap((one) => [one, { ...one, phone_number: "+12125551299" }]);
  const change = buildChange({ remove_phone_numbers: ["+12125551299"] });
  const order = orderIn("foc_scheduled", { numbers: both, changes: [change], request_version: 2 });
  const taskOfVersion = (kind: CarrierTaskKind, request_version: number) => {
    const about = { provider: "sandbox", order_id: order.id, request_version };
    return { ...about, kind, request_id: "1", port_out_id: null, phone_number: null };
  };

  it("is the order as it is to become, and says what is asked for", () => {
    expect(requestOf(taskOfVersion("supplement", 2), order, new Date(0))).toMatchObject({
      phone_numbers: ["+12125551234"],
      foc_requested: change.foc_requested,
      foc_actual: order.foc_actual,
      change: { change_id: change.id, remove_phone_numbers: ["+12125551299"] },
    });
  });

  it("is no part of another request, and none any more once it has ended", () => {
    const asItIs = {
      phone_numbers: ["+12125551234", "+12125551299"],
      foc_requested: null,
      change: null,
    };
    const ended = { ...order, changes: [{ ...change, status: "withdrawn" as const }] };
    for (const request of [
      requestOf(taskOfVersion("activate", 2), order, new Date(0)),
      requestOf(taskOfVersion("supplement", 1), order, new Date(0)),
      requestOf(taskOfVersion("supplement", 2), ended, new Date(0)),
    ]) {
      expect(request).toMatchObject(asItIs);
    }
  });
});
