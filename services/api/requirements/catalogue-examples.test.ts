import { describe, expect, it } from "@jest/globals";
import { fieldTypeOf } from "../../domain/countries/fields/requirement-definition.ts";
import { ORDER_KINDS } from "../../domain/requirement/rules/catalogue.ts";
import { checkValue } from "./check-value.ts";

const FIELDS = ORDER_KINDS.flatMap(({ country_code, number_type, profile }) =>
  profile.map((field) => [`${country_code} ${number_type} ${field.slug}`, field] as const),
);

describe("a requirement of the catalogue", () => {
  it.each(FIELDS.filter(([, field]) => fieldTypeOf(field) !== "document"))(
    "%s: its example is accepted unchanged",
    (_name, field) => {
      // The catalogue's RIO is that of this number; an order shows one of its own.
      const context = { phoneNumbers: ["+33612345678"], now: new Date("2026-03-01T00:00:00Z") };
      expect(checkValue(field, field.example, context)).toEqual({ value: field.example });
    },
  );
});
