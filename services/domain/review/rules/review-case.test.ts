import { describe, expect, it } from "@jest/globals";
import { buildCase } from "../../../../test/support/desk/review-case-factory.ts";
import { buildRequirement, orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import {
  changedSlugsOf,
  isSameDecision,
  liveClaimOf,
  withVerdicts,
  type DeskDecision,
  type RecordedVerdict,
} from "./review-case.ts";

const LATER = new Date(T0.getTime() + 1);

describe("a claim", () => {
  const claim = { claimed_by: "ann", claimed_until: LATER };

  it("is valid until it lapses, and only while its case is open", () => {
    expect(liveClaimOf(buildCase(claim), T0)).toBe("ann");
    expect(liveClaimOf(buildCase(claim), LATER)).toBeNull();
    expect(liveClaimOf(buildCase({ ...claim, state: "withdrawn" }), T0)).toBeNull();
    expect(liveClaimOf(buildCase(), T0)).toBeNull();
  });
});

describe("the verdicts of a case", () => {
  const requirements = ["loa", "invoice"].map((slug) =>
    buildRequirement({ slug, status: "requirement-info-under-review", changed: slug === "loa" }),
  );
  const base = { code: null, operator_id: "ann", at: T0.toISOString() };
  const decisions: RecordedVerdict[] = [
    { ...base, slug: "loa", decision: "approve", reason: null },
    { ...base, slug: "invoice", decision: "reject", reason: "Too dark." },
  ];

  it("apply before the order is updated, while it waits for this case", () => {
    const order = orderIn("in_review", { requirements });
    const [loa, invoice] = withVerdicts(order, buildCase({ decisions })).requirements;
    expect(loa?.status).toBe("approved");
    expect(invoice).toMatchObject({
      status: "requirement-info-exception",
      exception_reason: "Too dark.",
    });
    expect(withVerdicts(order, buildCase({ decisions, attempt: 2 }))).toBe(order);
    const back = orderIn("rejection", { requirements, review_attempt: 1 });
    expect(withVerdicts(back, buildCase({ decisions }))).toBe(back);
  });

  it("concern the changed requirements from the second attempt on", () => {
    const second = orderIn("in_review", { requirements, review_attempt: 2 });
    expect(changedSlugsOf(orderIn("in_review", { requirements }), new Set())).toEqual([]);
    expect(changedSlugsOf(second, new Set())).toEqual(["loa"]);
    expect(changedSlugsOf(second, new Set(["loa"]))).toEqual([]);
  });
});

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
