import { describe, expect, it } from "@jest/globals";
import type { CaseRequirement, ReviewCase } from "../reviews.ts";
import { namedVerdict, namedVerdicts, withNumberFields } from "./number-fields.ts";

const [A, B] = ["+33612345601", "+33612345602"] as const;
const REVIEW = "requirement-info-under-review";

const value = (phone_number: string, previous_value: string | null) => ({
  ...{ phone_number, status: REVIEW, exception_reason: null, field_value: "new", previous_value },
});
const rio = {
  ...{ slug: "rio_code", name: "RIO", status: REVIEW, field_value: null, scope: "number" },
  values: [value(A, "new"), value(B, "old")],
} as unknown as CaseRequirement;
const name = {
  slug: "entity_name",
  name: "Account holder",
  values: [],
} as unknown as CaseRequirement;

const review = { requirements: [name, rio], changed_slugs: ["rio_code"] } as unknown as ReviewCase;

describe("the fields of a case", () => {
  it("are one for each number where several have values of their own, changed where theirs is", () => {
    const { requirements, changed_slugs: changed } = withNumberFields(review);
    expect(requirements.map((one) => [one.slug, one.name])).toEqual([
      ["entity_name", "Account holder"],
      [`rio_code${A}`, `RIO ${A}`],
      [`rio_code${B}`, `RIO ${B}`],
    ]);
    expect(requirements[2]).toMatchObject({ field_value: "new", previous_value: "old" });
    expect(changed).toEqual([`rio_code${B}`]);
  });

  it("stay as they are where one number is left", () => {
    const single = { ...review, requirements: [{ ...rio, values: rio.values.slice(0, 1) }] };
    expect(withNumberFields(single)).toBe(single);
  });
});

describe("a verdict on a number's value", () => {
  const on = (slug: string, decision: "approve" | "reject" = "approve") => ({
    ...{ slug, decision, code: null, reason: decision === "reject" ? "No." : null },
  });
  const open = withNumberFields(review).requirements;

  it("names requirement and number", () => {
    expect(namedVerdict(on(`rio_code${A}`))).toMatchObject({ slug: "rio_code", phone_number: A });
    expect(namedVerdict(on("loa"))).toEqual(on("loa"));
  });

  it("is one approval of all where all are approved", () => {
    const all = [on(`rio_code${A}`), on(`rio_code${B}`)];
    expect(namedVerdicts(all, open)).toEqual([on("rio_code")]);
    const mixed = [on(`rio_code${A}`), on(`rio_code${B}`, "reject")];
    expect(namedVerdicts(mixed, open).map((one) => one.phone_number)).toEqual([A, B]);
    expect(namedVerdicts(all.slice(0, 1), open)).toMatchObject([{ phone_number: A }]);
  });
});
