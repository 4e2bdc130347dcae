import { describe, expect, it } from "@jest/globals";
import { COUNTRIES } from "../../../services/domain/countries/countries.ts";
import { numberParts } from "../../../services/requirement-review/document-reading/rules/national-number.ts";
import { acceptedBy, e164Of, fileFaultOf, soughtNumber } from "./given-values.ts";

const MIB = 1024 * 1024;
const accepted = acceptedBy({
  acceptance_criteria: {
    content_types: ["application/pdf", "image/jpeg"],
    max_bytes: 20 * MIB,
    max_age_days: 30,
  },
});

const fault = (name: string, type: string, size: number) =>
  fileFaultOf({ name, type, size }, accepted);

describe("a file that is chosen", () => {
  it("is refused before it is sent where it is of another kind, empty or too large", () => {
    expect(fault("bill.docx", "application/msword", 1)).toBe("unsupported_document_type");
    expect(fault("bill.pdf", "application/pdf", 0)).toBe("empty_document");
    expect(fault("bill.pdf", "application/pdf", 20 * MIB + 1)).toBe("payload_too_large");
  });

  it.each([
    ["bill.heic", "image/heic"],
    ["IMG_0001.HEIC", ""],
    ["bill.heif", "image/heif"],
  ])("is known to be a photo that cannot be read: %s", (name, type) => {
    expect(fileFaultOf({ name, type, size: MIB }, accepted)).toBe("heic");
  });

  it("is sent otherwise, also where the browser does not know its kind", () => {
    expect(fault("bill.pdf", "application/pdf", 20 * MIB)).toBeNull();
    expect(fault("bill", "", MIB)).toBeNull();
  });
});

describe("a phone number as people type it", () => {
  it.each([
    ["(212) 555-7701", "US", "+12125557701"],
    ["1-212-555-7701", "US", "+12125557701"],
    ["212.555.7701", "CA", "+12125557701"],
    ["011 49 30 123456", "US", "+4930123456"],
    ["030 / 123 456", "DE", "+4930123456"],
    ["+49 (0)30 123456", "DE", "+4930123456"],
    ["0049 30 123456", "DE", "+4930123456"],
    ["020 7946 0018", "GB", "+442079460018"],
    ["01 42 68 53 00", "FR", "+33142685300"],
    ["91 123 45 67", "ES", "+34911234567"],
    ["(02) 9374 4000", "AU", "+61293744000"],
    ["\uff12\uff11\uff12 555\u20117701", "US", "+12125557701"],
    [" +12125557701 ", "US", "+12125557701"],
  ])("%s in %s is %s", (typed, country, number) => {
    expect(e164Of(typed, country)).toBe(number);
  });

  it("stays as it is where it is none", () => {
    expect(e164Of(" I do not know ", "US")).toBe("I do not know");
    expect(e164Of("212 555 7701 x12", "US")).toBe("212 555 7701 x12");
    expect(e164Of("555 7701", "XX")).toBe("555 7701");
  });

  it.each([...COUNTRIES.keys()])("is understood in %s, as the service has the plan", (country) => {
    const of = (text: string) => numberParts(e164Of(text, country)).calling;
    expect(of("123456789")).not.toBe("");
    expect(e164Of("123456789", country)).toMatch(/^\+/);
  });
});

describe("a number that is looked for", () => {
  it.each([
    ["", ""],
    ["(212) 555-7701", "+12125557701"],
    ["+49 30 123456", "+4930123456"],
    ["0049 30 123456", "+4930123456"],
    ["030 123456", "030 123456"],
  ])("is known by its calling code, or as in North America: %j", (typed, sought) => {
    expect(soughtNumber(typed)).toBe(sought);
  });
});
