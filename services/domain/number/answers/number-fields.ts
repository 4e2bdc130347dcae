import { z } from "zod";
import { COUNTRY_CODES } from "../../countries/country-code.ts";
import { NUMBER_TYPES } from "../../countries/number-type.ts";
import { E164 } from "../rules/classify-number.ts";

/** The type of a number in a response; a request's is the plain, closed enumeration. */
export const numberType = z.enum(NUMBER_TYPES).meta({
  id: "NumberType",
  description: "Type of a number by its country's numbering plan",
});

const CODES: ReadonlySet<string> = new Set(COUNTRY_CODES);

/** A country in a filter, in any case; one whose numbers cannot be ported would match nothing, so it is refused. */
export function countryCodeParameter(description: string) {
  const said = `${description}: ISO 3166-1 alpha-2, in any case`;
  return z
    .string()
    .transform((text) => text.toUpperCase())
    .refine((code) => CODES.has(code), {
      error: `It must be one of ${COUNTRY_CODES.join(", ")}, in any case.`,
      params: { code: "unknown_country" },
    })
    .meta({ description: said, examples: ["US"] });
}

const NOT_E164 = "It must be a number in E.164, such as +12125550123.";

/** A phone number in a request, checked only for its E.164 form. */
export const phoneNumberField = z.string().regex(E164, NOT_E164);

/** A phone number in a query, where a plus sign that was not encoded arrives as a space. */
export function phoneNumberParameter(description: string) {
  return z
    .string()
    .transform((text) => text.replace(/^ (?=\d)/, "+"))
    .pipe(z.string().regex(E164, `${NOT_E164} In a URL, + is %2B.`))
    .meta({
      description,
      pattern: E164.source,
      examples: ["+12125550123"],
    });
}
