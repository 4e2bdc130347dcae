import { AU } from "./au.ts";
import { CA } from "./ca.ts";
import { DE } from "./de.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { GB } from "./gb.ts";
import { US } from "./us.ts";
import type { Country } from "./country.ts";
import type { CountryCode } from "./country-code.ts";

/** The table of countries, each under its code; read by find-country.ts. */
export const COUNTRY_TABLE: Readonly<Record<CountryCode, Country>> = {
  AU,
  CA,
  DE,
  ES,
  FR,
  GB,
  US,
};
