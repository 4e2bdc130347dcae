import { COUNTRY_TABLE } from "./countries.ts";
import type { Country } from "./country.ts";

/** The countries whose numbers can be ported, by code. */
export const COUNTRIES: ReadonlyMap<string, Country> = new Map(Object.entries(COUNTRY_TABLE));

/** The country with the code (ISO 3166-1 alpha-2); null if its numbers cannot be ported. */
export function findCountry(code: string): Country | null {
  return COUNTRIES.get(code) ?? null;
}
