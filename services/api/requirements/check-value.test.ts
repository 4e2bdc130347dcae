import { describe, expect, it } from "@jest/globals";
import { definitionOf } from "../../domain/requirement/rules/catalogue.ts";
import { checkTextLine, checkValue } from "./check-value.ts";

const US_LOCAL = { country_code: "US", number_type: "local" };

/** The numbers of the order to which a RIO of the cases belongs, and another one. */
const CONTEXT = {
  phoneNumbers: ["+33612345679", "+33612345678"],
  now: new Date("2026-03-01T12:00:00Z"),
};

function check(slug: string, text: string, kind = US_LOCAL): string {
  const definition = definitionOf(kind, slug);
  if (definition === null) throw new Error(`no field ${slug}`);
  const checked = checkValue(definition, text, CONTEXT);
  return "value" in checked ? checked.value : `! ${checked.fault.code}`;
}

describe("the fault of a value", () => {
  it.each([
    ["FR mobile rio_code", "01P123456ABC", "call 3179 from a number of this order"],
    ["US local entity_name", "x".repeat(129), "at most 128 characters; it has 129"],
    ["DE mobile birth_date", "soon", "a date before today, such as 1980-05-17"],
    [
      "US local service_address",
      "1 Main St",
      "the state's two letters, such as NY, and a ZIP code",
    ],
    ["DE local service_address", "Weg 1\nBerlin\nBerlin\nDE", "5 digits, such as 10117"],
    ["US local billing_phone_number", "12125551234", "such as +12125551234"],
  ])("of %s says what is accepted: %j", (field, text, part) => {
    const [country_code = "", number_type = "", slug = ""] = field.split(" ");
    const definition = definitionOf({ country_code, number_type }, slug);
    expect(definition && checkValue(definition, text, CONTEXT)).toMatchObject({
      fault: { detail: expect.stringContaining(part) },
    });
  });
});

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
    [
      "pin_passcode",
      "47 11",
      "It must be unaccented letters, digits and symbols, without spaces, such as 4711.",
    ],
  ])("describes in words what %s may be", (slug, text, detail) => {
    const definition = definitionOf(US_LOCAL, slug);
    expect(definition && checkValue(definition, text, CONTEXT)).toMatchObject({
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
    ["FR mobile rio_code", "01 p 123456 36q", "01P12345636Q"],
    ["FR mobile rio_code", "01P123456ABC", "! rio_mismatch"],
    ["FR mobile rio_code", "01P123456A+9", "! rio_mismatch"],
    ["FR mobile rio_code", "01P123456O4B", "! rio_mismatch"],
    ["FR mobile rio_code", "01P123456AB", "! invalid_format"],
    ["FR mobile rio_code", "01P12345+ABC", "! invalid_format"],
    ["FR local service_address", "1 Rue A\nParis\n75004\nfr", "1 Rue A\nParis\n75004\nFR"],
    ["FR local service_address", "1 Rue A\nParis\n99004\nFR", "! invalid_postal_code"],
    ["DE local service_address", "Weg 1\nBerlin\n10117\nDE", "Weg 1\nBerlin\n10117\nDE"],
    ["DE local service_address", "Weg 1\n10117 Berlin\nDE", "! invalid_address"],
    ["DE mobile birth_date", "1980-05-17", "1980-05-17"],
    ["DE mobile birth_date", "1980-02-30", "! invalid_date"],
    ["DE mobile birth_date", "17.05.1980", "! invalid_date"],
    ["AU mobile birth_date", "2999-01-01", "! invalid_date"],
    ["AU mobile birth_date", "2026-02-28", "2026-02-28"],
    ["AU mobile birth_date", "2026-03-01", "! invalid_date"],
    ["ES mobile icc_id", "8934 0712 3456 7890 125", "8934071234567890125"],
    ["ES mobile icc_id", "8934071234567890126", "! invalid_format"],
    ["ES mobile icc_id", "8949071234567890125", "! invalid_format"],
    ["ES mobile icc_id", "893407123456789012", "! invalid_format"],
    [
      "ES local service_address",
      "Calle 1\nMadrid\nMadrid 28013\nES",
      "Calle 1\nMadrid\nMadrid 28013\nES",
    ],
    ["ES local service_address", "Calle 1\nMadrid\n53013\nES", "! invalid_postal_code"],
    ["AU local service_address", "1 A St\nSydney\nnsw 2000\nau", "1 A St\nSydney\nNSW 2000\nAU"],
    ["AU local service_address", "1 A St\nSydney\nNY 2000\nAU", "! invalid_postal_code"],
    ["FR local siret", "732 829 320 00074", "73282932000074"],
    ["FR local siret", "73282932000075", "! invalid_format"],
    ["ES local tax_id", "b-12.345.674", "B12345674"],
    ["ES local tax_id", "B12345675", "! invalid_format"],
    ["ES local tax_id", "I12345674", "! invalid_format"],
    ["ES local tax_id", "FR-12AB34567", "! invalid_format"],
    ["ES mobile tax_id", "b-12.345.674", "B12345674"],
    ["ES mobile tax_id", "B12345675", "! invalid_format"],
    ["ES mobile tax_id", "fr - 12 ab 34567", "FR-12AB34567"],
    ["US mobile postal_code", "10118-0001", "10118-0001"],
    ["US mobile postal_code", "101180001", "! invalid_format"],
    ["CA mobile postal_code", "m5v3l9", "M5V 3L9"],
    ["CA mobile postal_code", "D5V 3L9", "! invalid_format"],
    [
      "CA local service_address",
      "1 A St\nToronto\non m5v3l9\nca",
      "1 A St\nToronto\nON M5V 3L9\nCA",
    ],
    [
      "US toll_free service_address",
      "1 A St\nToronto\non m5v3l9\nca",
      "1 A St\nToronto\nON M5V 3L9\nCA",
    ],
    ["US toll_free service_address", "1 A St\nToronto\nON 10118\nCA", "! invalid_postal_code"],
    ["US toll_free service_address", "1 A St\nParis\n75004\nFR", "! invalid_address"],
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

describe("a line of text", () => {
  const format = { format: "text", minLength: 1, maxLength: 128 } as const;

  // Putting so many marks in order takes minutes.
  it("is refused for its length before its marks are put in order", () => {
    const marks = 250_000;
    const text = `a${"\u0301".repeat(marks)}${"\u0323".repeat(marks)}`;
    expect(checkTextLine(format, text)).toEqual({
      fault: {
        code: "too_long",
        detail: "It may have at most 128 characters; it has more than 4096.",
      },
    });
  });

  it("is as long as it is in normal form", () => {
    expect(checkTextLine(format, "e\u0301".repeat(128))).toEqual({ value: "é".repeat(128) });
  });
});
