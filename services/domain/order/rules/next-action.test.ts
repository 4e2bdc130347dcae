import { describe, expect, it } from "@jest/globals";
import { buildRequirement, orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import { nextActionOf } from "./next-action.ts";

const DAY_MS = 86_400_000;
const invoice = buildRequirement({
  slug: "invoice",
  field_type: "document",
  document_date: T0,
  max_age_days: 30,
});
const NOTHING_DUE = new Map<string, Date>();
const inTime = new Date(T0.getTime() + 30 * DAY_MS);
const tooLate = new Date(inTime.getTime() + 1);

describe("the next action", () => {
  it.each([
    ["draft", "submit"],
    ["rejection", "submit_again"],
  ] as const)("in %s is %s until a document is too old", (status, action) => {
    const order = orderIn(status, { requirements: [invoice] });
    expect(nextActionOf(order, NOTHING_DUE, inTime)).toMatchObject({ actor: "customer", action });
    const late = { actor: "customer", action: "fix_requirement" };
    expect(nextActionOf(order, NOTHING_DUE, tooLate)).toMatchObject(late);
    const incomplete = { ...order, requirements_status: false };
    expect(nextActionOf(incomplete, NOTHING_DUE, tooLate)).toMatchObject(late);
  });

  it("is not the customer's for the age of a document that the desk or the carrier has", () => {
    for (const status of ["in_review", "submitted", "foc_scheduled", "completed"] as const) {
      const order = orderIn(status, { requirements: [invoice] });
      expect(nextActionOf(order, NOTHING_DUE, tooLate)).toEqual(
        nextActionOf(order, NOTHING_DUE, inTime),
      );
    }
  });
});
