import { describe, expect, it } from "@jest/globals";
import { isSameDecision, type DeskDecision } from "./desk-decision.ts";

const approve = { slug: "loa", decision: "approve", code: null, reason: null } as const;
const reject = { slug: "invoice", decision: "reject", code: null, reason: "Blurred" } as const;

const made: DeskDecision = {
  order_id: "order",
  attempt: 1,
  operator_id: "ada",
  decisions: [approve],
  confirm: false,
};

describe("two decisions", () => {
  it.each([
    ["the order", { order_id: "other" }],
    ["the attempt", { attempt: 2 }],
    ["the operator", { operator_id: "eve" }],
    ["the verdicts", { decisions: [reject] }],
    ["the confirmation", { confirm: true }],
  ])("differ where %s does", (_what, fields) => {
    expect(isSameDecision(made, { ...made })).toBe(true);
    expect(isSameDecision(made, { ...made, ...fields })).toBe(false);
  });
});
