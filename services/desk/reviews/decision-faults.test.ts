import { describe, expect, it } from "@jest/globals";
import { buildRequirement, orderIn, T0 } from "../../../test/support/orders/order-factory.ts";
import type { RequirementVerdict } from "../../domain/order/rules/decide-review.ts";
import { findDecisionFaults } from "./decision-faults.ts";

const UNDER_REVIEW = "requirement-info-under-review";

const order = orderIn("in_review", {
  requirements: [
    buildRequirement({ slug: "entity_name", status: UNDER_REVIEW }),
    buildRequirement({ slug: "account_number", status: "approved" }),
    buildRequirement({ slug: "csr", mandatory: false, has_value: false }),
    buildRequirement({
      slug: "invoice",
      status: UNDER_REVIEW,
      max_age_days: 30,
      document_date: new Date(T0.getTime() - 31 * 86_400_000),
    }),
  ],
});

function verdict(slug: string, fields: Partial<RequirementVerdict> = {}): RequirementVerdict {
  return { slug, decision: "approve", code: null, reason: null, ...fields };
}

function faults(decisions: readonly RequirementVerdict[], confirm = false): string[] {
  const found = findDecisionFaults(order, { decisions, confirm });
  return found.map(({ pointer, code }) => `${pointer ?? ""} ${code}`);
}

const bad = { decision: "reject", reason: "It is not legible." } as const;

describe("findDecisionFaults", () => {
  it("finds none where a field under review is approved, or rejected with a reason", () => {
    expect(faults([verdict("entity_name")])).toEqual([]);
    expect(faults([verdict("entity_name"), verdict("invoice", bad)])).toEqual([]);
    expect(faults([verdict("invoice", { ...bad, code: "document_illegible" })])).toEqual([]);
    expect(faults([verdict("entity_name", { ...bad, code: "entity_name_mismatch" })])).toEqual([]);
    expect(faults([verdict("entity_name", { ...bad, code: "other" })])).toEqual([]);
  });

  it("finds none where an approved field is rejected with a reason, only where it is approved again", () => {
    expect(faults([verdict("account_number", bad)])).toEqual([]);
    expect(faults([verdict("account_number")])).toEqual(["#/decisions/0/slug not_under_review"]);
    expect(faults([verdict("csr", bad)])).toEqual(["#/decisions/0/slug not_under_review"]);
  });

  it("finds all faults at once, each with its pointer", () => {
    const decisions = [
      verdict("entity_name"),
      verdict("entity_name", { decision: "reject", reason: " " }),
      verdict("no_such_field"),
      verdict("account_number"),
      verdict("csr"),
      verdict("invoice", { ...bad, code: "because" }),
    ];
    expect(faults(decisions, true).toSorted()).toEqual([
      "#/confirm confirm_with_rejection",
      "#/decisions/1/reason reason_required",
      "#/decisions/1/slug repeated",
      "#/decisions/2/slug unknown_slug",
      "#/decisions/3/slug not_under_review",
      "#/decisions/4/slug not_under_review",
      "#/decisions/5/code unknown_code",
    ]);
  });

  it("finds a code of another requirement, and names those that fit", () => {
    const decisions = [verdict("invoice", { ...bad, code: "loa_invalid" })];
    const [found] = findDecisionFaults(order, { decisions, confirm: false });
    expect(found).toEqual({
      pointer: "#/decisions/0/code",
      code: "code_of_other_requirement",
      detail:
        "loa_invalid does not concern invoice; these do: other, document_illegible, document_wrong, document_incomplete, numbers_missing, document_too_old.",
    });
    expect(faults([verdict("entity_name", { ...bad, code: "pending_order" })])).toEqual([
      "#/decisions/0/code code_of_other_requirement",
    ]);
  });

  it("finds a rejection with a code alone: the customer reads what the operator saw", () => {
    const bare = { decision: "reject", code: "entity_name_mismatch" } as const;
    expect(faults([verdict("entity_name", bare)])).toEqual([
      "#/decisions/0/reason reason_required",
    ]);
  });

  it("finds an empty decision", () => {
    expect(faults([])).toEqual(["#/confirm nothing_decided"]);
  });

  it("refuses to confirm while a field is undecided, but not for a document that grew old", () => {
    expect(faults([], true)).toEqual(["#/confirm undecided", "#/confirm undecided"]);
    expect(faults([verdict("entity_name"), verdict("invoice")], true)).toEqual([]);
  });
});
