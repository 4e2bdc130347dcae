import { describe, expect, it } from "@jest/globals";
import { buildCase } from "../../../test/support/desk/review-case-factory.ts";
import { buildRequirement, orderIn, T0 } from "../../../test/support/orders/order-factory.ts";
import type { RequirementVerdict } from "../../domain/order/rules/decide-review.ts";
import { EXCEPTION_CATALOGUE } from "../../domain/order/rules/exception-catalogue.ts";
import { ORDER_KINDS } from "../../domain/requirement/rules/catalogue.ts";
import type { ReviewCase } from "../../domain/review/rules/review-case.ts";
import { rejectionReasonAnswer } from "./answers.ts";
import {
  codesFor,
  concerns,
  findDecisionFaults,
  refuse,
  REJECTION_REASONS,
  type DecisionRequest,
} from "./record-decision.ts";

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

const FIELDS = ORDER_KINDS.flatMap(({ profile }) => profile);
const OWN = [
  "document_illegible",
  "document_wrong",
  "document_incomplete",
  "document_unsigned",
  "signer_mismatch",
  "numbers_missing",
  "document_too_old",
];

describe("the reasons for rejections", () => {
  it("are the canonical catalogue and the desk's own, each once and with a text", () => {
    const canonical = EXCEPTION_CATALOGUE.map(({ code }) => code);
    expect(REJECTION_REASONS.map(({ code }) => code)).toEqual([...canonical, ...OWN]);
    for (const reason of REJECTION_REASONS) {
      expect(rejectionReasonAnswer.parse(reason).text).toMatch(/^[A-Z].+\.$/);
    }
  });

  it("concern requirements that orders ask for, and each requirement has one besides other", () => {
    const asked = new Set(FIELDS.map(({ slug }) => slug));
    for (const { code, slugs } of REJECTION_REASONS) {
      for (const slug of slugs) expect([code, asked.has(slug)]).toEqual([code, true]);
    }
    for (const slug of asked) expect(codesFor(slug)).toContain("other");
  });

  it("are about documents where the requirement is one", () => {
    for (const { slug, value } of FIELDS) {
      expect(concerns("document_illegible", slug)).toBe(value.format === "document");
    }
    expect(concerns("document_unsigned", "loa")).toBe(true);
    expect(concerns("document_unsigned", "invoice")).toBe(false);
  });

  it("fit what their slugs hold, and other fits a requirement of long ago", () => {
    for (const { code, slugs } of REJECTION_REASONS) {
      for (const { slug } of FIELDS) expect(concerns(code, slug)).toBe(slugs.includes(slug));
    }
    expect(concerns("other", "no_longer_asked")).toBe(true);
    expect(concerns("no_such_code", "loa")).toBe(false);
  });
});

const UNDER_REVIEW = "requirement-info-under-review";

const reviewed = orderIn("in_review", {
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
  const found = findDecisionFaults(reviewed, { decisions, confirm });
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
    const [found] = findDecisionFaults(reviewed, { decisions, confirm: false });
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
