import { describe, expect, it } from "@jest/globals";
import { ORDER_STATUSES } from "../../../domain/order/rules/order.ts";
import { canCancel, viewOf } from "./order-words.ts";

describe("an order as its customer sees it", () => {
  it("is in the view of whoever has to act", () => {
    const inView = Object.groupBy(ORDER_STATUSES, viewOf);
    expect(inView).toEqual({
      yours: ["draft", "rejection"],
      open: ["in_review", "submitted", "in_process", "foc_scheduled", "activating"],
      done: ["completed", "completed_partial"],
      cancelled: ["cancel_pending", "cancelled"],
    });
  });

  it("can be cancelled until its numbers are moved", () => {
    expect(ORDER_STATUSES.filter((status) => canCancel({ status }))).toEqual([
      "draft",
      "in_review",
      "submitted",
      "in_process",
      "rejection",
      "foc_scheduled",
    ]);
  });
});
