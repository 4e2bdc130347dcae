import { describe, expect, it } from "@jest/globals";
import { Problem } from "../../../ui/http/request.ts";
import {
  faultsOfChecks,
  faultsOfRefusal,
  groupsOf,
  numbersInFile,
  numbersOf,
  textWithout,
  type Check,
} from "./typed-numbers.ts";

describe("numbers that are pasted", () => {
  it.each([
    ["(212) 555-0100\n1-212-555-0101", "US", ["+12125550100", "+12125550101"]],
    ["+1 212 555 0100, +49 30 123456;\n", "US", ["+12125550100", "+4930123456"]],
    ["+12125550100 +12125550101", "US", ["+12125550100", "+12125550101"]],
    ["030 123456\t030 123457", "DE", ["+4930123456", "+4930123457"]],
    ["+12125550100\n212 555 0100", "US", ["+12125550100"]],
    ["+12125550100\nunknown\n12", "US", ["+12125550100", "unknown", "12"]],
    [" \n,", "US", []],
  ])("are read one by one: %j", (text, country, numbers) => {
    expect(numbersOf(text, country)).toEqual(numbers);
  });

  it("can be left out however they were written", () => {
    const left = new Set(["+12125550100", "oops"]);
    expect(textWithout("(212) 555-0100, 212 555 0101\noops", "US", left)).toBe("212 555 0101");
  });
});

describe("numbers in a file", () => {
  it.each([
    [
      "the column that is called so",
      "Account number,Phone\r\n8772114902,+12125550100\r\n",
      ["+12125550100"],
    ],
    ["a column of numbers", "Site;Number\nNew York;(212) 555-0100\n;\nBonn;\n", ["(212) 555-0100"]],
    ["quoted cells", '"Doe, ""J"" Inc","212-555-0100"\n', ["212-555-0100"]],
    ["no titles", "+12125550100\n+12125550101", ["+12125550100", "+12125550101"]],
    ["titles in another language", "\uFEFFRufnummer\n030 1234567", ["030 1234567"]],
    ["a row without a number", "+12125550100\nsee below", ["+12125550100", "see below"]],
  ])("are those of %s", (_, text, numbers) => {
    expect(numbersInFile(text)).toEqual(numbers);
  });
});

const check = (phone_number: string, fields: Partial<Check> = {}): Check => ({
  phone_number,
  portable: true,
  country_code: "US",
  number_type: "local",
  losing_carrier: "Bell",
  reason: null,
  detail: null,
  earliest_foc: "2026-12-01T09:00:00-05:00",
  ...fields,
});

describe("what a request becomes", () => {
  const checks = [
    check("+12125550100"),
    check("+442079460143", { country_code: "GB" }),
    check("+12125550101"),
    check("+12125550102", { losing_carrier: null }),
    check("?", {
      portable: false,
      country_code: null,
      number_type: null,
      reason: "invalid_number",
    }),
  ];

  it("is an order for each country, type and losing carrier", () => {
    expect(groupsOf(checks, "").map(({ numbers }) => numbers)).toEqual([
      ["+12125550100", "+12125550101"],
      ["+442079460143"],
      ["+12125550102"],
    ]);
    expect(groupsOf(checks, "Verizon").map(({ numbers }) => numbers.length)).toEqual([3, 1]);
  });

  it("leaves out what cannot be ordered, and says why", () => {
    expect(faultsOfChecks(checks).map(({ number }) => number)).toEqual(["?"]);
    const [rounded] = faultsOfChecks([check("1.21256E+10", { reason: "invalid_number" })]);
    expect(rounded?.why).toMatch(/Format the column as text/);
  });

  it("shows a refusal at the numbers that it names", () => {
    const faults = [
      { pointer: "#/phone_numbers/1", code: "number_type_mismatch", detail: "It is toll free." },
      { pointer: "#/webhook_url", code: "invalid_url", detail: "No." },
    ];
    const facts = {
      status: 422,
      code: "validation_failed",
      title: "",
      detail: "",
      requestId: null,
    };
    expect(faultsOfRefusal(new Problem({ ...facts, faults }), ["a", "b"])).toEqual([
      { number: "b", why: "It is toll free." },
    ]);
    expect(faultsOfRefusal(new Error("offline"), ["a"])).toEqual([]);
  });
});
