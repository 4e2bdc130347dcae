import { describe, expect, it } from "@jest/globals";
import { ORDER_STATUSES } from "../../../services/domain/order/rules/order.ts";
import { canCancel, canChange, canDelete, cancelText, viewOf, type View } from "./order-words.ts";

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

  it("says what cancelling it means now", () => {
    const saying = (text: RegExp) =>
      ORDER_STATUSES.filter((status) => canCancel({ status }) && text.test(cancelText({ status })));
    expect(saying(/^It ends at once/)).toEqual(["draft"]);
    expect(saying(/^If it has never reached/)).toEqual(["in_review", "rejection"]);
    expect(saying(/^The losing carrier is asked/)).toEqual([
      "submitted",
      "in_process",
      "foc_scheduled",
    ]);
    expect(saying(/too late/)).toEqual(["foc_scheduled"]);
  });

  it("can be deleted as long as it was never submitted, and changed until it has ended", () => {
    expect(canDelete({ status: "draft", submitted_at: null })).toBe(true);
    expect(canDelete({ status: "rejection", submitted_at: null })).toBe(false);
    expect(ORDER_STATUSES.filter((status) => !canChange({ status }))).toEqual([
      "completed",
      "completed_partial",
      "cancelled",
    ]);
  });
});
