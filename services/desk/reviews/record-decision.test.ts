import { describe, expect, it } from "@jest/globals";
import { buildCase } from "../../../test/support/desk/review-case-factory.ts";
import { buildRequirement, orderIn, T0 } from "../../../test/support/orders/order-factory.ts";
import type { ReviewCase } from "../../domain/review/rules/review-case.ts";
import { refuse, type DecisionRequest } from "./record-decision.ts";

const order = orderIn("in_review", {
  requirements: [buildRequirement({ slug: "loa", status: "requirement-info-under-review" })],
});
const approval: DecisionRequest = {
  attempt: null,
  decisions: [{ slug: "loa", decision: "approve", code: null, reason: null }],
  confirm: true,
};
const nothing: DecisionRequest = { attempt: null, decisions: [], confirm: false };
const ofNoField: DecisionRequest = {
  ...approval,
  decisions: [{ slug: "no_such_field", decision: "approve", code: null, reason: null }],
};

/** The code with which Eve's decision is refused; null where it is recorded. */
function refusalOf(decision: DecisionRequest, one: Partial<ReviewCase> = {}): unknown {
  try {
    refuse({ order, one: buildCase(one) }, order, { decision, operatorId: "eve", now: T0 });
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : error;
  }
}

describe("a decision on a review case", () => {
  const later = new Date(T0.getTime() + 1);
  const claimed = { claimed_by: "ada", claimed_until: later };

  it("is recorded of whoever has the claim, and of anybody where nobody has", () => {
    expect(refusalOf(approval)).toBeNull();
    expect(refusalOf({ ...approval, attempt: 1 })).toBeNull();
    expect(refusalOf(approval, { ...claimed, claimed_by: "eve" })).toBeNull();
    expect(refusalOf(approval, { ...claimed, claimed_until: T0 })).toBeNull();
  });

  it("is refused while another operator has claimed the case", () => {
    expect(refusalOf(approval, claimed)).toBe("claimed");
  });

  it("is refused where it names another attempt than that of the open case", () => {
    expect(refusalOf({ ...approval, attempt: 2 })).toBe("already_decided");
    expect(refusalOf({ ...approval, attempt: 2 }, claimed)).toBe("already_decided");
  });

  it("is refused for its own faults first, then for the case, then for the order", () => {
    expect(refusalOf(nothing, claimed)).toBe("validation_failed");
    expect(refusalOf(ofNoField, claimed)).toBe("claimed");
    expect(refusalOf(ofNoField)).toBe("validation_failed");
  });
});
