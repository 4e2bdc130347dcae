import { describe, expect, it } from "@jest/globals";
import { ORDER_STATUSES } from "../../../../domain/order/rules/order.ts";
import { canClose, closeConsequence } from "./close-words.ts";

describe("closing an order", () => {
  it("is offered while the order is open and its numbers are not being moved", () => {
    const closable = ORDER_STATUSES.filter((status) => canClose({ status }));
    const others = ORDER_STATUSES.filter((status) => !closable.includes(status));
    expect(others).toStrictEqual(["activating", "completed", "completed_partial", "cancelled"]);
  });

  it("says whether the order ends now or the carrier is asked first", () => {
    expect(closeConsequence({ status: "in_review", request_version: 0 })).toContain("at once");
    expect(closeConsequence({ status: "in_process", request_version: 1 })).toContain("asked");
    expect(closeConsequence({ status: "cancel_pending", request_version: 1 })).toContain(
      "without the carrier’s answer",
    );
  });
});
