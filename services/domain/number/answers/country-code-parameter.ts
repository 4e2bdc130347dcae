import { z } from "zod";
import { COUNTRIES } from "../../countries/find-country.ts";

const CODES = [...COUNTRIES.keys()].toSorted();

/** A country in a filter, in any case; one whose numbers cannot be ported would match nothing, so it is refused. */
export function countryCodeParameter(description: string) {
  const said = `${description}: ISO 3166-1 alpha-2, in any case`;
  return z
    .string()
    .transform((text) => text.toUpperCase())
    .refine((code) => COUNTRIES.has(code), {
      error: `It must be one of ${CODES.join(", ")}, in any case.`,
      params: { code: "unknown_country" },
    })
    .meta({ description: said, examples: ["US"] });
}
