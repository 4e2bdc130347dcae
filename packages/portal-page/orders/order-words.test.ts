import { describe, expect, it } from "@jest/globals";
import { ORDER_STATUSES } from "../../../services/domain/order/rules/order.ts";
import { canCancel, viewOf, type View } from "./order-words.ts";

describe("an order as its customer sees it", () => {
  it("is in the view of whoever has to act", () => {
    const shownIn = (view: View) => ORDER_STATUSES.filter((status) => viewOf(status) === view);
    expect(shownIn("yours")).toEqual(["draft", "rejection"]);
    expect(shownIn("open")).toEqual([
      "in_review",
      "submitted",
      "in_process",
      "foc_scheduled",
      "activating",
    ]);
    expect(shownIn("done")).toEqual(["completed", "completed_partial"]);
    expect(shownIn("cancelled")).toEqual(["cancel_pending", "cancelled"]);
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
