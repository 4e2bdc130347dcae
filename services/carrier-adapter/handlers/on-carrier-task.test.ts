import { describe, expect, it } from "@jest/globals";
import { orderIn } from "../../../test/support/orders/order-factory.ts";
import { carrierRequestId } from "../../domain/order/rules/order-messages.ts";
import type { CarrierTaskKind } from "../../domain/order/rules/effects.ts";
import { ORDER_STATUSES, type Order } from "../../domain/order/rules/order.ts";
import { isEnded } from "../../domain/order/rules/status-facts.ts";
import { isOvertaken } from "./on-carrier-task.ts";

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
