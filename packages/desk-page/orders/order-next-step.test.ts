import { describe, expect, it } from "@jest/globals";
import { ORDER_STATUSES } from "../../../services/domain/order/rules/order.ts";
import { NEXT_ACTIONS } from "../../../services/domain/order/rules/status-facts.ts";
import { targetsOf } from "../../../services/domain/order/rules/transitions.ts";
import {
  canClose,
  closeConsequence,
  nextStepOf,
  orderQueryOf,
  type ListFilters,
  type Stepping,
} from "./orders.ts";

function order(next: Partial<Stepping["next_action"]>, status: Stepping["status"]): Stepping {
  const none = { actor: "none", action: "none", due_at: null } as const;
  return { status, attention: null, next_action: { ...none, ...next } };
}

describe("who must do what by when", () => {
  it("names the side, what it does, and what the time means", () => {
    const due_at = "2026-03-02T14:00:00.000Z";
    const review = { actor: "desk", action: "wait_for_review", due_at } as const;
    expect(nextStepOf(order(review, "in_review"))).toStrictEqual({
      who: "The desk",
      what: "reviews the submission",
      by: "due",
    });
    const fix = { actor: "customer", action: "fix_requirement", due_at } as const;
    expect(nextStepOf(order(fix, "rejection")).by).toBe("or the order closes");
  });

  it("says what the carrier has to answer", () => {
    const waits = { actor: "carrier", action: "wait_for_carrier" } as const;
    expect(nextStepOf(order(waits, "submitted")).what).toBe("acknowledges the request");
    expect(nextStepOf(order(waits, "in_process")).what).toBe("names the port date");
    expect(nextStepOf(order(waits, "cancel_pending")).what).toContain("cancellation");
  });

  it("has words for every action, and no time where nothing happens by itself", () => {
    for (const action of NEXT_ACTIONS) {
      const step = nextStepOf(order({ actor: "desk", action }, "submitted"));
      expect(step.what).not.toBe("");
      expect(step.by).toBeNull();
    }
  });
});

const none: ListFilters = {
  q: "",
  status: "",
  provider: "",
  country: "",
  attention: "",
  account: "",
  batch: "",
  carrier: "",
  foc_from: "",
  foc_to: "",
};

describe("the filters of the list of orders", () => {
  it("ask for both days of an FOC range whole, in the person's zone", () => {
    const filters = { ...none, foc_from: "2026-03-02", foc_to: "2026-03-31" };
    const query = orderQueryOf(filters, "America/New_York");
    expect(query.foc_after).toBe("2026-03-02T00:00:00-05:00");
    expect(query.foc_before).toBe("2026-04-01T00:00:00-04:00");
  });

  it("ask for one status, a group of them, or any", () => {
    const statusesOf = (status: string) => orderQueryOf({ ...none, status }, "UTC").status;
    expect(statusesOf("rejection")).toStrictEqual(["rejection"]);
    expect(statusesOf("ended")).toStrictEqual(["completed", "completed_partial", "cancelled"]);
    expect(statusesOf("at_carrier")).toStrictEqual([
      "submitted",
      "in_process",
      "foc_scheduled",
      "activating",
      "cancel_pending",
    ]);
    expect(statusesOf("")).toStrictEqual([]);
  });
});

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
