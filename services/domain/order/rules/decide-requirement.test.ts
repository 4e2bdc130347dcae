import { describe, expect, it } from "@jest/globals";
import { buildRequirement, orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import type { CheckState } from "../../requirement/rules/requirement.ts";
import { decideDocumentChecked, decideRequirementChanged } from "./decide-requirement.ts";
import { ORDER_STATUSES, SYSTEM_ACTOR, type OrderStatus } from "./order.ts";

const DAY_MS = 86_400_000;
const DOCUMENT = "0198c0de-0000-7000-8000-000000000001";

function checkAfter(status: OrderStatus, before: CheckState, passed: boolean): CheckState | null {
  const requirement = buildRequirement({
    slug: "invoice",
    field_type: "document",
    document_id: DOCUMENT,
    check_state: before,
  });
  const order = orderIn(status, { requirements: [requirement] });
  const code = passed ? null : "document_infected";
  const check = { slug: "invoice", document_id: DOCUMENT, passed, code, detail: code };
  const decision = decideDocumentChecked(order, check);
  if (!decision.allowed) throw new Error("a check is never refused");
  return decision.order.requirements[0]?.check_state ?? null;
}

describe("decideRequirementChanged", () => {
  const requirement = buildRequirement({
    slug: "loa",
    field_type: "document",
    document_id: DOCUMENT,
    document_date: T0,
    max_age_days: 30,
  });

  function refusalOf(status: OrderStatus, ageMs: number) {
    const order = orderIn(status, { requirements: [requirement] });
    const document_date = new Date(T0.getTime() - ageMs);
    const content = {
      kind: "document",
      document_id: "new",
      document_date,
      check: "checking",
    } as const;
    const change = { slug: "loa", content };
    const decision = decideRequirementChanged(order, change, { actor: SYSTEM_ACTOR, now: T0 });
    return decision.allowed ? null : decision.refusal;
  }

  it.each(["draft", "rejection"] as const)(
    "refuses a document that arrives too old in %s",
    (status) => {
      expect(refusalOf(status, 30 * DAY_MS)).toBeNull();
      expect(refusalOf(status, 30 * DAY_MS + 1)).toMatchObject({
        code: "validation_failed",
        faults: [{ pointer: "#/document_date", code: "document_too_old" }],
      });
    },
  );
});

describe("decideDocumentChecked", () => {
  it("fails a document late, but only while no carrier has it", () => {
    const failing = ORDER_STATUSES.filter((one) => checkAfter(one, "passed", false) === "failed");
    expect(failing).toEqual(["draft", "in_review", "rejection"]);
  });

  it("never passes one that has failed", () => {
    expect(checkAfter("draft", "failed", true)).toBe("failed");
    expect(checkAfter("draft", "checking", true)).toBe("passed");
  });
});
