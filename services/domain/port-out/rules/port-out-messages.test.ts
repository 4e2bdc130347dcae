import { describe, expect, it } from "@jest/globals";
import { orderOf } from "./port-out-messages.ts";

describe("the order of a port-out's events", () => {
  it.each<[string, readonly (string | null)[], string | null]>([
    ["brought all of its numbers in", ["order a", "order a"], "order a"],
    ["is none where there are several", ["order a", "order b"], null],
    ["is none where a number came without one", ["order a", null], null],
    ["is none where all numbers came without one", [null, null], null],
  ])("%s", (_rule, orders, order) => {
    const numbers = orders.map((porting_order_id, n) => ({
      phone_number: `+1212555010${n}`,
      porting_order_id,
      ported_out_at: null,
    }));
    expect(orderOf({ numbers })).toBe(order);
  });
});
