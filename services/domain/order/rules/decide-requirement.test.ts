import { describe, expect, it } from "@jest/globals";
import { buildRequirement, orderIn } from "../../../../test/support/orders/order-factory.ts";
import type { CheckState } from "../../requirement/rules/requirement.ts";
import { decideDocumentChecked } from "./decide-requirement.ts";
import { ORDER_STATUSES, type OrderStatus } from "./order.ts";

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
