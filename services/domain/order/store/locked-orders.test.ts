import { describe, expect, it } from "@jest/globals";
import { buildOrder } from "../../../../test/support/orders/order-factory.ts";
import { LockedOrders } from "./locked-orders.ts";

describe("orders that a transaction has locked", () => {
  it("are found as they were last saved, and no others", () => {
    const order = buildOrder();
    const locked = new LockedOrders([order]);
    expect(locked.find(order.id)).toBe(order);
    const saved = { ...order, event_sequence: order.event_sequence + 1 };
    locked.update(saved);
    expect(locked.find(order.id)).toBe(saved);
    expect(locked.find("00000000-0000-7000-8000-000000000001")).toBeNull();
    expect(locked.find(null)).toBeNull();
  });
});
