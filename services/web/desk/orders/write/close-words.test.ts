import { describe, expect, it } from "@jest/globals";
import { ORDER_STATUSES } from "../../../../domain/order/rules/order.ts";
import { targetsOf } from "../../../../domain/order/rules/transitions.ts";
import { canClose, closeConsequence } from "./close-words.ts";

describe("closing an order", () => {
  it("is offered in exactly the statuses from which the desk may close", () => {
    for (const status of ORDER_STATUSES) {
      const isAllowed = targetsOf(status, "ops_close").length > 0;
      expect([status, canClose({ status })]).toStrictEqual([status, isAllowed]);
    }
  });

  it("says whether the order ends now or the carrier is asked first", () => {
    expect(closeConsequence({ status: "in_review", request_version: 0 })).toContain("at once");
    expect(closeConsequence({ status: "in_process", request_version: 1 })).toContain("asked");
    expect(closeConsequence({ status: "cancel_pending", request_version: 1 })).toContain(
      "without the carrier’s answer",
    );
  });
});
