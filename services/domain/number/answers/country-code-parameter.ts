import { z } from "zod";
import { COUNTRY_CODES } from "../../countries/country-code.ts";

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
