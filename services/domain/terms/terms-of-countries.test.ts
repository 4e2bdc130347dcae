import { describe, expect, it } from "@jest/globals";
import { exampleNumberOf } from "../../../test/support/orders/example-numbers.ts";
import { readCarriers } from "../carrier/read-carriers.ts";
import { classifyNumber } from "../number/rules/classify-number.ts";
import { earliestFoc, findFocFault, portTermsOf, type PortTerms } from "./rules/port-date.ts";

const { terms: termsOf } = readCarriers("data/carriers");

interface Asked {
  readonly number?: string;
  readonly numbers?: number;
  readonly values?: Readonly<Record<string, string>>;
}

function termsFor(kind: string, { number, numbers = 1, values = {} }: Asked): PortTerms {
  const [country = "", type = ""] = kind.split(" ");
  const terms = portTermsOf(termsOf, {
    ...{ country_code: country, number_type: type, provider: null, numbers },
    phone_number: number ?? exampleNumberOf(country, type),
    values: new Map(Object.entries(values)),
  });
  if (terms === null) throw new Error(`no terms of ${kind}`);
  return terms;
}

const single: Asked = { values: { line_type: "single" } };
const multi: Asked = { values: { line_type: "multi" } };

describe("the earliest date by a country's terms, as their source says", () => {
  it.each<[string, string, Asked, readonly [string, string]]>([
    [
      "Simwood: a single line in 4 days; 31 August is England's summer bank holiday",
      "GB local",
      single,
      ["2026-08-28T10:00:00+01:00", "2026-09-04T10:00:00+01:00"],
    ],
    [
      "Ofcom: the next working day; after noon on Friday, and Monday is off",
      "GB mobile",
      {},
      ["2026-08-28T13:00:00+01:00", "2026-09-02T10:00:00+01:00"],
    ],
    [
      "Simwood: over 10 single lines in 14",
      "GB local",
      { ...single, numbers: 11 },
      ["2026-11-27T10:00:00Z", "2026-12-17T10:00:00+00:00"],
    ],
    [
      "Simwood: several lines under 30 numbers in 7",
      "GB local",
      { ...multi, numbers: 29 },
      ["2026-11-27T10:00:00Z", "2026-12-08T10:00:00+00:00"],
    ],
    [
      "Simwood: 31 to 150 numbers in 10",
      "GB local",
      { ...multi, numbers: 31 },
      ["2026-11-27T10:00:00Z", "2026-12-11T10:00:00+00:00"],
    ],
    [
      "Simwood: over 151 numbers in 17",
      "GB local",
      { ...multi, numbers: 151 },
      ["2026-11-27T10:00:00Z", "2026-12-22T10:00:00+00:00"],
    ],
    [
      "Simwood: any non-geographic number in 7, so 084 and 087 too",
      "GB shared_cost",
      {},
      ["2026-11-27T10:00:00Z", "2026-12-08T10:00:00+00:00"],
    ],
    [
      "CRTC 2005-72: one number in 2; 12 October is Thanksgiving",
      "CA local",
      {},
      ["2026-10-09T10:00:00-04:00", "2026-10-14T10:00:00-04:00"],
    ],
    [
      "practice: several numbers in 6; 12 October is Thanksgiving",
      "CA local",
      { numbers: 2 },
      ["2026-10-09T10:00:00-04:00", "2026-10-20T10:00:00-04:00"],
    ],
    [
      "CRTC 2005-72: one number in 2; 24 May is Victoria Day",
      "CA local",
      {},
      ["2027-05-21T10:00:00-04:00", "2027-05-26T10:00:00-04:00"],
    ],
    [
      "practice: several numbers in 6; 24 May is Victoria Day",
      "CA local",
      { numbers: 2 },
      ["2027-05-21T10:00:00-04:00", "2027-06-01T10:00:00-04:00"],
    ],
    [
      "Breeze: category A in 5; 14 June is the King's Birthday in New South Wales",
      "AU local",
      { number: "+61293741143" },
      ["2027-06-10T10:00:00+10:00", "2027-06-18T10:00:00+10:00"],
    ],
    [
      "Breeze: category A in 5; Queensland works on 14 June",
      "AU local",
      { number: "+61732001234" },
      ["2027-06-10T10:00:00+10:00", "2027-06-17T10:00:00+10:00"],
    ],
    [
      "Breeze: category A in 5; 5 October is the King's Birthday in Queensland",
      "AU local",
      { number: "+61732001234" },
      ["2026-10-01T10:00:00+10:00", "2026-10-09T10:00:00+10:00"],
    ],
    [
      "Breeze: category A in 5; 28 September is the King's Birthday in Western Australia",
      "AU local",
      { number: "+61892001234" },
      ["2026-09-24T10:00:00+08:00", "2026-10-02T10:00:00+08:00"],
    ],
    [
      "Jet: category C in 30; 25 and 28 December and 1 January are off",
      "AU local",
      { values: { category: "C" } },
      ["2026-11-27T10:00:00+11:00", "2027-01-13T10:00:00+11:00"],
    ],
    [
      "VoIPLine: several numbers are of category C",
      "AU local",
      { numbers: 2 },
      ["2026-11-27T10:00:00+11:00", "2027-01-13T10:00:00+11:00"],
    ],
    [
      "47 CFR 52.35: one number in 1, before 13:00 of the number's Pacific clock",
      "US local",
      { number: "+13105550143" },
      ["2026-11-20T12:30:00-08:00", "2026-11-23T10:00:00-08:00"],
    ],
    [
      "47 CFR 52.35: at 13:00 it counts as received on Monday",
      "US local",
      { number: "+13105550143" },
      ["2026-11-20T13:00:00-08:00", "2026-11-24T10:00:00-08:00"],
    ],
    [
      "47 CFR 52.35: others in 4; 26 November is Thanksgiving",
      "US local",
      { numbers: 2 },
      ["2026-11-20T12:59:00-05:00", "2026-11-27T10:00:00-05:00"],
    ],
    [
      "47 CFR 52.35: 12:30 by the Midwest's clock",
      "US local",
      { number: "+13125550143", numbers: 2 },
      ["2026-11-20T13:30:00-05:00", "2026-11-27T10:00:00-06:00"],
    ],
    [
      "47 CFR 52.35(e)(1): the predominant zone of Seattle's region is Mountain",
      "US local",
      { number: "+12065550143" },
      ["2026-11-20T10:00:00-08:00", "2026-11-23T10:00:00-07:00"],
    ],
    [
      "Arcep: one working day, and Saturday is one",
      "FR mobile",
      {},
      ["2026-11-27T10:00:00+01:00", "2026-11-28T10:00:00+01:00"],
    ],
    [
      "Arcep: on Saturday afternoon it counts as received on Monday",
      "FR mobile",
      {},
      ["2026-11-28T15:00:00+01:00", "2026-12-01T10:00:00+01:00"],
    ],
    [
      "Telnyx: a business's line in 8",
      "FR local",
      {},
      ["2026-11-27T10:00:00+01:00", "2026-12-09T10:00:00+01:00"],
    ],
    [
      "Arcep: a private person's line in 3, of which Saturday is one",
      "FR local",
      { values: { holder_kind: "private" } },
      ["2026-11-27T10:00:00+01:00", "2026-12-01T10:00:00+01:00"],
    ],
    [
      "Bandwidth: 45; 25 December and 1 January are off",
      "DE local",
      {},
      ["2026-11-27T10:00:00+01:00", "2027-02-02T06:00:00+01:00"],
    ],
    [
      "Bundesnetzagentur: 15 before an ended contract's number moves",
      "DE local",
      { values: { contract_status: "ended" } },
      ["2026-11-27T10:00:00+01:00", "2026-12-18T06:00:00+01:00"],
    ],
    [
      "Bandwidth: 45, from 14:00 to 16:00",
      "DE toll_free",
      {},
      ["2026-11-27T10:00:00+01:00", "2027-02-02T14:00:00+01:00"],
    ],
    [
      "CMT: asked on Monday, moved on Wednesday from 02:00",
      "ES mobile",
      {},
      ["2026-11-30T10:00:00+01:00", "2026-12-02T02:00:00+01:00"],
    ],
    [
      "Bandwidth: 10, from 12:00; 8 December is off",
      "ES local",
      {},
      ["2026-11-27T10:00:00+01:00", "2026-12-14T12:00:00+01:00"],
    ],
    [
      "Redworks: the donor answers in 3 in the Netherlands; Good Friday is a working day",
      "NL local",
      {},
      ["2027-03-25T10:00:00+01:00", "2027-03-31T10:00:00+02:00"],
    ],
    [
      "the Belgian decree: a simple installation in 2; 21 July is off",
      "BE local",
      { values: { installation: "simple" } },
      ["2027-07-20T10:00:00+02:00", "2027-07-23T10:00:00+02:00"],
    ],
    [
      "the Belgian decree: a complex one in 3",
      "BE local",
      { values: { installation: "complex" } },
      ["2027-07-20T10:00:00+02:00", "2027-07-26T10:00:00+02:00"],
    ],
    [
      "Eircom: 9 in Ireland, from 11:00",
      "IE local",
      {},
      ["2026-11-27T10:00:00Z", "2026-12-10T11:00:00+00:00"],
    ],
    [
      "EU law: an Irish mobile number in 1; 25 October is a holiday",
      "IE mobile",
      {},
      ["2027-10-22T10:00:00+01:00", "2027-10-26T11:00:00+01:00"],
    ],
  ])("%s", (_source, kind, asked, [received, expected]) => {
    expect(earliestFoc(termsFor(kind, asked), new Date(received))).toBe(expected);
  });
});

describe("a requested date by a country's terms", () => {
  const now = new Date("2026-11-20T09:00:00Z");
  const faultOf = (kind: string, wanted: string): string =>
    findFocFault(termsFor(kind, {}), wanted, now)?.detail ?? "possible";

  it("is refused on a Sunday at three, and on a Saturday but for French mobile numbers", () => {
    expect(faultOf("US local", "2026-12-06T03:00:00-05:00")).toContain("2026-12-07T10:00:00-05:00");
    expect(faultOf("FR local", "2026-12-05T10:00:00+01:00")).toContain(
      "2026-12-07T10:00:00+01:00, 2026-12-07T14:00:00+01:00, 2026-12-08T10:00:00+01:00",
    );
    expect(faultOf("FR mobile", "2026-12-05T10:00:00+01:00")).toBe("possible");
  });
});

describe("a number of a range that its country has and the library calls otherwise", () => {
  it.each([
    ["GB 0844", "+448441234567", "shared_cost"],
    ["GB 0870", "+448701234567", "shared_cost"],
    ["AU 1300", "+611300975707", "shared_cost"],
    ["AU 13", "+61131234", "shared_cost"],
    ["ES 902", "+34902123456", "shared_cost"],
    ["DE 0700", "+4970012345678", "shared_cost"],
  ])("%s can be ordered", (_range, number, type) => {
    expect(classifyNumber(number)?.number_type).toBe(type);
    const { country_code = "" } = classifyNumber(number) ?? {};
    expect(() => termsFor(`${country_code} ${type}`, { number })).not.toThrow();
  });
});
