import { describe, expect, it } from "@jest/globals";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { checkValue } from "./check-value.ts";

const US_LOCAL = { country_code: "US", number_type: "local" };

function check(slug: string, text: string, kind = US_LOCAL): string {
  const definition = definitionOf(kind, slug);
  if (definition === null) throw new Error(`no field ${slug}`);
  const checked = checkValue(definition, text);
  return "value" in checked ? checked.value : `! ${checked.fault.code}`;
}

describe("a requirement's value", () => {
  it.each([
    ["entity_name", "", "! required"],
    ["entity_name", "   ", "! required"],
    ["entity_name", "\u200b\u3164", "! required"],
    ["entity_name", "a\nb", "! invalid_characters"],
    ["entity_name", "a\u0000b", "! invalid_characters"],
    ["entity_name", "abc\u202Edef", "! invalid_characters"],
    ["entity_name", "\ud800x", "! invalid_characters"],
    ["entity_name", "x".repeat(129), "! too_long"],
    ["account_number", "<script>", "! invalid_format"],
    ["billing_phone_number", "2125551234", "! invalid_number"],
    ["billing_phone_number", "+1212555123", "! invalid_number"],
    ["pin_passcode", "47 11", "! invalid_format"],
    ["port_type", "Full", "! invalid_choice"],
    ["service_address", "350 5th Ave\nNew York\nNY 10118", "! invalid_address"],
    ["service_address", "350 5th Ave\n\nNY 10118\nUS", "! invalid_address"],
    ["service_address", "350 5th Ave\n\u200b\nNY 10118\nUS", "! invalid_address"],
    ["service_address", "350 5th Ave\nNew York\nNY 1011\nUS", "! invalid_postal_code"],
    ["service_address", "350 5th Ave\nNew York\nNY 10118\nUnited States", "! invalid_address"],
    ["service_address", "350 5th Ave\nNew York\n10118\nUS", "! invalid_postal_code"],
    ["service_address", "350 5th Ave\nNew York\nNew York 10118\nUS", "! invalid_postal_code"],
    ["service_address", "350 5th Ave\nNew York\nNY 10118\nCA", "! invalid_address"],
    ["invoice", "not a file", "! invalid_type"],
  ])("%s: %j is %s", (slug, text, expected) => {
    expect(check(slug, text)).toBe(expected);
  });

  it("is measured in characters, not in UTF-16 units", () => {
    const rare = "\u{20bb7}";
    expect(check("entity_name", rare.repeat(128))).toBe(rare.repeat(128));
    expect(check("entity_name", rare.repeat(129))).toBe("! too_long");
  });

  it.each([
    ["account_number", "*1", "It must be letters and digits, with spaces and"],
    ["pin_passcode", "47 11", "It must be unaccented letters, digits and symbols, without spaces."],
  ])("describes in words what %s may be", (slug, text, detail) => {
    const definition = definitionOf(US_LOCAL, slug);
    expect(definition && checkValue(definition, text)).toMatchObject({
      fault: { detail: expect.stringContaining(detail) },
    });
  });

  it("is stored in normal form", () => {
    expect(check("entity_name", "  Cafe\u0301 GmbH ")).toBe("Caf\u00e9 GmbH");
    expect(check("service_address", "350  5th Ave \r\nNew York\r\nny 10118-0001\r\nus\r\n")).toBe(
      "350 5th Ave\nNew York\nNY 10118-0001\nUS",
    );
  });

  it.each([
    ["GB mobile pac_code", "abc 123456", "ABC123456"],
    ["GB mobile pac_code", "AB1234567", "! invalid_format"],
    ["FR mobile rio_code", "01 p 123456 abc", "01P123456ABC"],
    ["FR mobile rio_code", "01P123456A+9", "01P123456A+9"],
    ["FR mobile rio_code", "01P123456AB", "! invalid_format"],
    ["FR mobile rio_code", "01P12345+ABC", "! invalid_format"],
    ["FR local siret", "732 829 320 00074", "73282932000074"],
    ["FR local siret", "73282932000075", "! invalid_format"],
    ["ES local tax_id", "b-12.345.674", "B12345674"],
    ["ES local tax_id", "B12345675", "! invalid_format"],
    ["ES local tax_id", "I12345674", "! invalid_format"],
    ["US mobile postal_code", "10118-0001", "10118-0001"],
    ["US mobile postal_code", "101180001", "! invalid_format"],
    ["CA mobile postal_code", "m5v3l9", "M5V 3L9"],
    ["CA mobile postal_code", "D5V 3L9", "! invalid_format"],
    [
      "CA local service_address",
      "1 A St\nToronto\non m5v3l9\nca",
      "1 A St\nToronto\nON M5V 3L9\nCA",
    ],
    ["GB local service_address", "1 A St\nLeeds\nls11ba\ngb", "1 A St\nLeeds\nLS1 1BA\nGB"],
    [
      "GB local service_address",
      "1 A St\nLeeds\nWest Yorkshire LS1 1BA\nGB",
      "1 A St\nLeeds\nWest Yorkshire LS1 1BA\nGB",
    ],
    ["GB local service_address", "1 A St\nLeeds\nWest Yorkshire\nGB", "! invalid_postal_code"],
    ["GB local service_address", "1 A St\nLeeds\nLS1 1BA\nUK", "! invalid_address"],
  ])("%s: %j becomes %j", (field, text, expected) => {
    const [country_code = "", number_type = "", slug = ""] = field.split(" ");
    expect(check(slug, text, { country_code, number_type })).toBe(expected);
  });
});
