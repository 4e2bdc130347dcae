import { describe, expect, it } from "@jest/globals";
import { buildRequirement } from "../../../../test/support/orders/order-factory.ts";
import { emptyNumberValue, judged, readKey, valueKey, withValues } from "./number-values.ts";
import type { NumberValue, OrderRequirement } from "./requirement.ts";

const [A, B, C] = ["+33612345601", "+33612345602", "+33612345603"] as const;
const REVIEW = "requirement-info-under-review";
const EXCEPTION = "requirement-info-exception";

const given = (number: string, more: Partial<NumberValue> = {}): NumberValue => ({
  ...emptyNumberValue(number),
  status: REVIEW,
  shown_value: `of ${number}`,
  ...more,
});

function rio(values: readonly NumberValue[], mandatory = true): OrderRequirement {
  const fields = { slug: "rio_code", scope: "number", mandatory } as const;
  return withValues(buildRequirement(fields), values);
}

describe("the key of a number's value", () => {
  it("is taken apart again, and a slug alone is its own", () => {
    expect(readKey(valueKey("rio_code", A))).toEqual({ slug: "rio_code", phone_number: A });
    expect(readKey("rio_code")).toEqual({ slug: "rio_code", phone_number: null });
  });
});

describe("a requirement with values per number", () => {
  it.each([
    ["one is missing", [given(A), emptyNumberValue(B)], "requirement-info-pending", false],
    [
      "one is new",
      [given(A), given(B, { status: "requirement-info-pending" })],
      "requirement-info-pending",
      true,
    ],
    ["one is to be decided", [given(A, { status: "approved" }), given(B)], REVIEW, true],
    ["all are approved", [given(A, { status: "approved" })], "approved", true],
    [
      "one is rejected, whatever the others",
      [given(A, { status: EXCEPTION }), emptyNumberValue(B)],
      EXCEPTION,
      false,
    ],
  ] as const)("stands as a whole: %s", (_what, values, status, has_value) => {
    expect(rio(values)).toMatchObject({ status, has_value });
  });

  it("that is optional needs no value for every number, as of prepaid lines among others", () => {
    const some = rio([given(A, { status: "approved" }), emptyNumberValue(B)], false);
    expect(some).toMatchObject({ status: "approved", has_value: true });
    expect(rio([emptyNumberValue(A)], false)).toMatchObject({ has_value: false });
  });

  it("shows the value and the reason of its only number, of several the reasons by number", () => {
    const wrong = { status: EXCEPTION, exception_reason: "Wrong." } as const;
    expect(rio([given(A, wrong)])).toMatchObject({
      shown_value: `of ${A}`,
      exception_reason: "Wrong.",
    });
    expect(rio([given(A, wrong), given(B), given(C, wrong)])).toMatchObject({
      shown_value: null,
      exception_reason: `${A}: Wrong.\n${C}: Wrong.`,
    });
  });
});

describe("a finding", () => {
  const all = rio([given(A), given(B), given(C)]);
  const statusesOf = ({ values }: OrderRequirement) => values.map(({ status }) => status);

  it("on one number leaves the others as they are", () => {
    const found = { status: EXCEPTION, reason: "Wrong.", phone_numbers: [B] } as const;
    expect(statusesOf(judged(all, found))).toEqual([REVIEW, EXCEPTION, REVIEW]);
  });

  it("without numbers is on all that are given", () => {
    const some = rio([given(A), emptyNumberValue(B)], false);
    const found = { status: "approved", reason: null, phone_numbers: null } as const;
    expect(statusesOf(judged(some, found))).toEqual(["approved", "requirement-info-pending"]);
  });

  it("on what has one value for the order is on that, whatever numbers are named", () => {
    const found = { status: EXCEPTION, reason: "Wrong.", phone_numbers: [B] } as const;
    expect(judged(buildRequirement(), found)).toMatchObject({
      status: EXCEPTION,
      exception_reason: "Wrong.",
    });
  });
});
