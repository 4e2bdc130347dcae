import { describe, expect, it } from "@jest/globals";
import { buildOrder, buildRequirement } from "../../../test/support/orders/order-factory.ts";
import { rioOf } from "../../domain/countries/fr.ts";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { emptyNumberValue, withValues } from "../../domain/requirement/rules/number-values.ts";
import type { Scope } from "../../domain/countries/fields/requirement-definition.ts";
import { AppError } from "../../platform/errors.ts";
import { readTexts } from "./given-values.ts";

const [A, B] = ["+33612345601", "+33612345602"] as const;
const NOW = new Date("2026-11-02T09:00:00Z");
const rio = (number: string): string => rioOf("01P123456", number);

function field(numbers: readonly string[], scope: Scope = "number") {
  const definition = definitionOf({ country_code: "FR", number_type: "mobile" }, "rio_code");
  if (definition === null) throw new Error("no rio_code");
  const requirement = withValues(
    buildRequirement({ slug: "rio_code", scope }),
    scope === "number" ? numbers.map(emptyNumberValue) : [],
  );
  const order = buildOrder({
    requirements: [requirement],
    numbers: numbers.map((phone_number) => ({
      ...{ phone_number, failure_code: null, activated_at: null },
      status: "pending",
    })),
  });
  return { order, requirement, definition };
}

function faultsOf(asked: ReturnType<typeof field>, sent: Parameters<typeof readTexts>[1]) {
  try {
    return [...readTexts(asked, sent, NOW)];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.faults.map(({ pointer, code }) => `${pointer} ${code}`);
  }
}

describe("the values that a request gives", () => {
  it("are checked by the form of the country, each against its number, with all faults at once", () => {
    const field_values = { [A]: rio(B), [B]: "01P12", "+33612345699": rio(A) };
    expect(faultsOf(field([A, B]), { field_values })).toEqual([
      "#/field_values/+33612345699 unknown_number",
      `#/field_values/${A} rio_mismatch`,
      `#/field_values/${B} invalid_format`,
    ]);
    expect(faultsOf(field([A, B]), { field_values: { [B]: rio(B).toLowerCase() } })).toEqual([
      [B, rio(B)],
    ]);
  });

  it("are one where one number is left, and named by number where there are more", () => {
    expect(faultsOf(field([A]), { field_value: rio(A) })).toEqual([[A, rio(A)]]);
    expect(faultsOf(field([A, B]), { field_value: rio(A) })).toEqual([
      "#/field_value one_value_per_number",
    ]);
  });

  it("are one for orders of before there were others, whose RIO is that of any number", () => {
    expect(faultsOf(field([A, B], "order"), { field_value: rio(B) })).toEqual([[null, rio(B)]]);
    const field_values = { [A]: rio(A) };
    expect(faultsOf(field([A, B], "order"), { field_values })).toEqual([
      "#/field_values one_value_for_the_order",
    ]);
  });

  it.each([
    [{}, "#/field_values required"],
    [{ field_values: {} }, "#/field_values required"],
    [{ field_value: "x", field_values: { [A]: "x" } }, "#/field_values one_value_for_the_order"],
  ])("are of one form: %j", (sent, fault) => {
    expect(faultsOf(field([A, B]), sent)).toEqual([fault]);
  });
});
