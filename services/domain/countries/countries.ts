import { AU } from "./au.ts";
import { BE } from "./be.ts";
import { CA } from "./ca.ts";
import type { CountryCode } from "./country-code.ts";
import type { Country } from "./country.ts";
import { DE } from "./de.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { GB } from "./gb.ts";
import { IE } from "./ie.ts";
import { NL } from "./nl.ts";
import { US } from "./us.ts";

/** The table of countries, each under its code; read by find-country.ts. */
const COUNTRY_TABLE: Readonly<Record<CountryCode, Country>> = {
  AU,
  BE,
  CA,
  DE,
  ES,
  FR,
  GB,
  IE,
  NL,
  US,
};

/** The countries whose numbers can be ported, by code. */
export const COUNTRIES: ReadonlyMap<string, Country> = new Map(Object.entries(COUNTRY_TABLE));

/** The country with the code (ISO 3166-1 alpha-2); null if its numbers cannot be ported. */
export function findCountry(code: string): Country | null {
  return COUNTRIES.get(code) ?? null;
}
