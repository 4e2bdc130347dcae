import { describe, expect, it } from "@jest/globals";
import type { Requirement } from "../orders/order-words.ts";
import { changesOf, isKept } from "./changes.ts";
import { pastedValues } from "./number-values.ts";

const [A, B, C] = ["+33612345601", "+33612345602", "+33612345603"] as const;

describe("a pasted list of values", () => {
  const numbers = [A, B, C];
  const paste = (text: string, from: string = A) => {
    const given = pastedValues(text, numbers, { from, country: "FR" });
    return given === null ? null : Object.fromEntries(given);
  };

  it("goes to the numbers in turn, from the field on that it is pasted into", () => {
    expect(paste("01P1\r\n01P2\n\n01P3\n")).toEqual({ [A]: "01P1", [B]: "01P2", [C]: "01P3" });
    expect(paste("01P2\n01P3\n01P4", B)).toEqual({ [B]: "01P2", [C]: "01P3" });
  });

  it("goes to the numbers that its lines name, however they are written", () => {
    expect(paste(`${C};01P3\n06 12 34 56 01\t01P1\n+33 6 12 34 56 02, 01P2`)).toEqual({
      ...{ [A]: "01P1", [B]: "01P2", [C]: "01P3" },
    });
  });

  it("is none where it is one value", () => {
    expect(paste("01P12345636Q")).toBeNull();
  });
});

describe("what is typed for several numbers", () => {
  const value = (phone_number: string, field_value: string | null) => ({
    ...{ phone_number, field_value, status: "requirement-info-pending", exception_reason: null },
  });
  const rio = (mandatory: boolean) =>
    ({
      ...{ slug: "rio_code", field_type: "text", mandatory, field_value: null },
      values: [value(A, "a"), value(B, null)],
    }) as unknown as Requirement;

  it("is sent by number, what is new of it", () => {
    const typed = { [`rio_code/${A}`]: "a", [`rio_code/${B}`]: " b " };
    expect(changesOf([rio(true)], typed, "FR")).toEqual({
      changes: [{ slug: "rio_code", value: { [B]: "b" } }],
      faults: {},
    });
  });

  it("clears an optional one, and is needed of a mandatory one", () => {
    const typed = { [`rio_code/${A}`]: "" };
    expect(changesOf([rio(false)], typed, "FR").changes).toMatchObject([{ value: { [A]: null } }]);
    expect(Object.keys(changesOf([rio(true)], typed, "FR").faults)).toEqual([`rio_code/${A}`]);
  });

  it("is not kept in the browser where it is a PIN", () => {
    expect([isKept(`pin_passcode/${A}`), isKept(`rio_code/${A}`)]).toEqual([false, true]);
  });
});
