import { describe, expect, it } from "@jest/globals";
import { definitionOf, profileOf } from "./catalogue.ts";
import { checkValue } from "./check-value.ts";
import { fieldTypeOf } from "./requirement-definition.ts";

const US_LOCAL = { country_code: "US", number_type: "local" };

function check(slug: string, text: string): string {
  const definition = definitionOf(US_LOCAL, slug);
  if (definition === null) throw new Error(`no field ${slug}`);
  const checked = checkValue(definition, text);
  return "value" in checked ? checked.value : `! ${checked.fault.code}`;
}

describe("a value of a field", () => {
  it.each(
    (profileOf("US", "local") ?? [])
      .filter((definition) => fieldTypeOf(definition) !== "document")
      .map((definition) => [definition.slug, definition.example]),
  )("%s: its example is accepted as it stands", (slug, example) => {
    expect(check(slug, example)).toBe(example);
  });

  it.each([
    ["entity_name", "", "! required"],
    ["entity_name", "   ", "! required"],
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
    ["service_address", "350 5th Ave\nNew York\nNY 1011\nUS", "! invalid_postal_code"],
    ["service_address", "350 5th Ave\nNew York\nNY 10118\nUnited States", "! invalid_address"],
    ["invoice", "not a file", "! invalid_type"],
  ])("%s: %j is %s", (slug, text, expected) => {
    expect(check(slug, text)).toBe(expected);
  });

  it("is kept in normal form", () => {
    expect(check("entity_name", "  Cafe\u0301 GmbH ")).toBe("Caf\u00e9 GmbH");
    expect(check("service_address", "350  5th Ave \r\nNew York\r\nny 10118-0001\r\nus\r\n")).toBe(
      "350 5th Ave\nNew York\nNY 10118-0001\nUS",
    );
  });
});
